"""Train the embedded judge's head: `python -m evals.train_judge [--check]`.

Two stages, both split by question:

1. Span head. Every phrasing of a rubric is scored against that rubric with its own row taken out (in all languages):
   phrasings are positive, look-alikes, misconceptions, other criteria's phrasings and small talk are negative. The
   head sees features only, never a criterion, so it carries over to rubrics it was not trained on.
2. Calibration. On the labelled answers of the DEV questions: log-odds of an answer's best span -> probability that the
   criterion is met, or at least partly met (Platt scaling), and that a misconception was voiced.

`python -m evals.judging` measures the result on the TEST questions' answers. For the figures to be fair the head that
is measured must not know those questions' rubrics: `--held-out` trains without them.
"""

from __future__ import annotations
