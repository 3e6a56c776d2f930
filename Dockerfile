# Not tested: no container engine was at hand. The sandbox inside a container falls back to Landlock where user namespaces
# are refused; `viva doctor` says which layers a run gets.
FROM python:3.11-slim
RUN useradd --create-home viva
WORKDIR /srv/viva
COPY --chown=viva . .
RUN pip install --no-cache-dir --constraint constraints.txt --editable ".[ui,sandbox]" && chown viva /srv/viva
USER viva
ENV VIVA_HOST=0.0.0.0 VIVA_DATA=/home/viva/data
EXPOSE 7860
CMD ["viva", "serve"]
