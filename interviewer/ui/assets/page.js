// Small things a server cannot do: keep the link, scroll to what is new, mind the keyboard, keep drafts on this machine.
window.viva = (() => {
  const root = document.documentElement;
  const param = () => new URLSearchParams(location.search).get("session") || "";
  root.classList.add("viva-loading"); // until it is known what to show, and in which language

  const url = place => {
    const target = new URL(location.href);
    const id = (place && place.session) || "";
    if (!id) forget(param());
    if (id) target.searchParams.set("session", id); else target.searchParams.delete("session");
    history.replaceState(null, "", target);
    window.scrollTo(0, 0);
  };

  const ready = () => {
    root.classList.remove("viva-loading");
    setTimeout(() => { settled = true; }, 700);
  };
  setTimeout(ready, 8000);

  const sure = () => {
    const text = document.querySelector("[data-sure]");
    return !text || window.confirm(text.dataset.sure);
  };

  const save = file => {
    if (!file) return;
    const types = {html: "text/html", md: "text/markdown", json: "application/json"};
    const type = types[file.name.split(".").pop()] || "text/plain";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file.text], {type: type + ";charset=utf-8"}));
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // What was unfolded or folded by hand stays so when the conversation is drawn anew.
  const folds = new Map();
  document.addEventListener("toggle", event => {
    const key = event.target.dataset && event.target.dataset.key;
    if (key && !event.target.dataset.auto) folds.set(key, event.target.open);
  }, true);

  const draftKey = () => "viva-draft-" + param();
  const bare = text => text.replace(/[\s`]+/g, "").slice(0, 200);
  const said = text => {
    const mine = document.querySelectorAll("#viva-chat .msg.candidate");
    return mine.length > 0 && mine[mine.length - 1].textContent.replace(/[\s`]+/g, "").includes(bare(text));
  };
  const draft = {
    save: value => {
      if (!param()) return;
      if (value) localStorage.setItem(draftKey(), value.slice(0, 200000)); else localStorage.removeItem(draftKey());
    },
    restore: box => {
      if (!param() || box.dataset.restored === param()) return;
      box.dataset.restored = param();
      const kept = localStorage.getItem(draftKey());
      if (kept && !box.value && !said(kept)) {
        box.value = kept;
        box.dispatchEvent(new Event("input", {bubbles: true}));
      }
    },
  };
  // What is typed into the editor survives a refresh too; only the candidate's own changes are kept.
  const codeKey = place => "viva-code-" + place.desk;
  const keepCode = (place, code) => {
    const active = document.activeElement;
    if (place && place.desk && active && active.closest("#viva-desk")) localStorage.setItem(codeKey(place), code || "");
  };
  const backCode = (place, code) => (place && place.desk && localStorage.getItem(codeKey(place))) || code;
  const forget = id => {
    if (!id) return;
    Object.keys(localStorage).filter(key => key.startsWith("viva-code-" + id) || key === "viva-draft-" + id)
      .forEach(key => localStorage.removeItem(key));
  };

  document.addEventListener("input", event => {
    if (event.target.closest && event.target.closest("#viva-text")) draft.save(event.target.value);
  });

  // While an input method composes (Chinese, Japanese), Enter picks a candidate and must not send.
  document.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.stopImmediatePropagation();
  }, true);

  // A criterion and the words that decided it light up together.
  const light = (event, on) => {
    const one = event.target.closest && event.target.closest("[data-c]");
    const section = one && one.closest(".sides");
    if (!section) return;
    section.querySelectorAll(`[data-c="${CSS.escape(one.dataset.c)}"]`).forEach(e => e.classList.toggle("lit", on));
  };
  document.addEventListener("mouseover", event => light(event, true));
  document.addEventListener("mouseout", event => light(event, false));

  let seen = "", shown = "", settled = false;
  const settle = () => {
    document.querySelectorAll("details[data-key]").forEach(e => {
      const wanted = folds.get(e.dataset.key);
      if (wanted !== undefined && e.open !== wanted) e.open = wanted;
    });
    const brand = document.querySelector(".brand[lang]");
    if (brand && root.lang !== brand.lang) root.lang = brand.lang;
    const box = document.querySelector("#viva-text textarea");
    if (box) {
      draft.restore(box);
      // Until an answer is known to be recorded its draft stays, whatever becomes of the server.
      if (!box.value && !document.querySelector("#viva-chat .doing")) draft.save("");
    }
    const messages = document.querySelectorAll("#viva-chat .msg, #viva-chat .doing");
    const last = messages[messages.length - 1];
    const end = last ? messages.length + last.textContent.slice(-60) : "";
    if (end && end !== seen) {
      const scroller = document.querySelector("#viva-chat");
      if (scroller.scrollHeight > scroller.clientHeight + 4) scroller.scrollTop = scroller.scrollHeight;
      else if (messages.length > 1) last.scrollIntoView({block: "center"});
    }
    seen = end;
    const results = document.querySelector("#viva-results");
    const now = results ? results.textContent : "";
    if (now && now !== shown && settled) results.scrollIntoView({block: "nearest", behavior: "smooth"});
    shown = now;
  };
  let queued = false;
  new MutationObserver(() => {
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => { queued = false; settle(); });
  }).observe(root, {childList: true, subtree: true});

  return {url, ready, sure, save, keepCode, backCode};
})();
