"""The page, in Gradio. One file a tab; HTML is made by pure functions of plain values.

launch.py          opens the page            page.py          header, tabs, which event does what
setup_form.py      the start                 interview_tab.py the running interview and its report
review_tab.py      past interviews           api.py           the same moves over HTTP, JSON in and out
moves.py           one click: pending, streamed, outcome or notice
fragments.py, feedback.py, report_view.py    HTML of a screen, of a question's result, of report and review
markup.py          foreign text -> inert HTML
theme.py, assets/  look                      texts/           words, one file a language
"""
