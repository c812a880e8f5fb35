#!/bin/sh
# Copies the files of the pinned packages into this folder. Needs npm, and for the fonts Python with fontTools and brotli:
#     npm ci --ignore-scripts && static/vendor/update.sh
# Set PYTHON to an interpreter that has both, or leave the fonts as they are.
set -eu
cd "$(dirname "$0")/../.."
from=node_modules to=static/vendor

copy() { mkdir -p "$to/$1" && cp "$from/$2" "$to/$1/$3"; }

copy bootstrap bootstrap/dist/css/bootstrap.min.css bootstrap.min.css
copy bootstrap bootstrap/LICENSE LICENSE
copy htmx htmx.org/dist/htmx.min.js htmx.min.js
copy htmx htmx.org/LICENSE LICENSE
copy plotly plotly.js-basic-dist-min/plotly-basic.min.js plotly-basic.min.js
copy plotly plotly.js-basic-dist-min/LICENSE LICENSE
# the map is not shipped, and a storage that checks every reference would look for it
sed -i 's|/\*# sourceMappingURL=[^*]*\*/||' "$to/bootstrap/bootstrap.min.css"
# nine tenths of it are for classes that our pages do not use; a class of Bootstrap's is named in this program first
"${PYTHON:-python3}" "$to/bootstrap/only_used.py" "$to/bootstrap/bootstrap.min.css" "$to/bootstrap/bootstrap.min.css"

if "${PYTHON:-python3}" -c 'import fontTools, brotli' 2>/dev/null; then
    "${PYTHON:-python3}" static/fonts/subset.py "$from/@ibm/plex-sans/fonts/complete/woff2" static/fonts
    cp "$from/@ibm/plex-sans/LICENSE.txt" static/fonts/OFL.txt
fi
