#!/usr/bin/env bash
# spacy-stanza declares an old stanza but works with the pinned one: installed without its dependencies.
set -euo pipefail
"$CONDA_PREFIX/bin/python" -m pip install --no-deps spacy-stanza==1.0.4
