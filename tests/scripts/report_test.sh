#!/usr/bin/env bash
# Tests the page of `redtune report` in headless Chromium, at three widths and in both themes: it draws its charts, says
# nothing in the console, is not wider than the window, and its filter and its copied command work. Exits with 77, which
# ctest counts as skipped, if there is no Chromium or the build has no charts.
# Usage: report_test.sh REDTUNE DATA [FOLDER]: the built program, its data folder, and a folder for screenshots
set -euo pipefail
redtune=$1
data=$2
shots=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_DB=$scratch/none.db HOME=$scratch
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Without its charts the command says what is missing and how to get it.
mkdir "$scratch/bare"
cp "$redtune" "$scratch/bare/redtune"
cp "$data/nvidia-h200.winners.db" "$scratch/bare/"
code=0
XDG_DATA_DIRS=$scratch REDTUNE_SYSTEM_DATA=$scratch/bare "$scratch/bare/redtune" report -o "$scratch/bare.html" \
    2>"$scratch/error" || code=$?
[[ $code == 1 ]] || fail "without charts the exit code is $code"
grep -q 'scripts/install-dependencies' "$scratch/error" || fail "no remedy in: $(cat "$scratch/error")"
[[ ! -e $scratch/bare.html ]] || fail "a page without charts was written"

browser=$(command -v chromium || command -v google-chrome || true)
if [[ -z $browser ]]; then
    echo "skipped: there is no Chromium; scripts/install-dependencies test brings it on Debian"
    exit 77
fi
if [[ ! -e $data/vega.js ]]; then
    echo "skipped: this build has no charts; scripts/install-dependencies brings them"
    exit 77
fi

# A sweep with all candidates, which is made an interrupted one, and one candidate a failure with a reason that must not
# become a part of the page.
database=$scratch/replayed.db
"$redtune" tune --device replay:nvidia-h200 --op sum --dtype f32 --size 4Ki,64Ki,4Mi --regime cold --between 0 --checks 0 \
    --db "$database" >/dev/null 2>&1 || fail "tune"
sqlite3 "$database" "UPDATE measurement SET status_id = 1, reason = '</script><b id=escaped>\"1'' is not 2</b>'
    WHERE id = (SELECT max(id) FROM measurement WHERE id NOT IN (SELECT measurement_id FROM winner)
                AND id NOT IN (SELECT measurement_id FROM unit_winner));
    UPDATE sweep SET status = 'interrupted'"
"$redtune" report --db "$database" -o "$scratch/page.html" 2>/dev/null || fail "report"
# measured PAGE: prints the page with a script that measures it when it is opened.
measured() {
    cat "$1"
    cat <<'END'
<script>setInterval(() => {
  const root = document.documentElement;
  root.dataset.measured = `${root.scrollWidth - root.clientWidth} ${getComputedStyle(document.body).backgroundColor}`;
}, 100);</script>
END
}

# open_page FILE WIDTH THEME FRAGMENT: writes the page's elements, as they are after its script has run, to $scratch/dom.
open_page() {
    local scheme=1
    if [[ $3 == dark ]]; then scheme=0; fi
    local options=(--headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 --virtual-time-budget=8000
                   --user-data-dir="$scratch/profile" --window-size="$2,1200" --blink-settings="preferredColorScheme=$scheme")
    timeout 120 "$browser" "${options[@]}" --dump-dom "file://$1$4" >"$scratch/dom" 2>"$scratch/log" ||
        fail "Chromium at width $2: $(tail -n 3 "$scratch/log")"
    if grep CONSOLE "$scratch/log"; then fail "the console is not empty at width $2, $3"; fi
    grep -q 'data-ready="yes"' "$scratch/dom" || fail "the page is not drawn at width $2, $3"
    if [[ -n $shots ]]; then
        mkdir -p "$shots"
        timeout 120 "$browser" "${options[@]}" --hide-scrollbars --window-size="$2,6000" \
            --screenshot="$shots/$2-$3.png" "file://$1$4" 2>/dev/null || fail "screenshot"
    fi
}

# count PATTERN: prints how often the pattern occurs in the elements of the page.
count() {
    { grep -o "$1" "$scratch/dom" || true; } | wc -l
}

# expect_fit WIDTH: checks that the opened page, which measured() has made, is not wider than the window.
expect_fit() {
    local measured
    measured=$(sed -n 's/.*data-measured="\([^"]*\)".*/\1/p' "$scratch/dom" | head -n 1)
    [[ ${measured%% *} == 0 ]] || fail "the page is ${measured%% *} pixels wider than a window of $1"
    background=${measured#* }
}

measured "$scratch/page.html" >"$scratch/measured.html"
for width in 400 900 1600; do
    for theme in light dark; do
        open_page "$scratch/measured.html" "$width" "$theme" ""
        charts=$(count '<svg [^>]*class="marks"')
        [[ $charts == 9 ]] || fail "$charts charts at width $width, $theme"
        (($(count 'aria-roledescription="rect mark"') >= 4)) || fail "the heat map has no fields at width $width, $theme"
        (($(count 'aria-roledescription="bar"') >= 4)) || fail "the distribution has no bars at width $width, $theme"
        expect_fit "$width"
        expected='rgb(255, 255, 255)'
        if [[ $theme == dark ]]; then expected='rgb(20, 23, 27)'; fi
        [[ $background == "$expected" ]] || fail "the background is $background in the $theme theme"
    done
done
grep -q '&lt;/script&gt;&lt;b id=escaped&gt;' "$scratch/dom" || fail "the reason of the failure is not shown"
grep -q '1 sweep did not finish' "$scratch/dom" || fail "no word of the interrupted sweep"
if grep -q '<b id="escaped"' "$scratch/dom"; then fail "the reason of a failure became an element"; fi

# The filter, the size and the parameters of the heat map are kept in the fragment.
open_page "$scratch/page.html" 1600 light "#filter=4Mi+any&n=65536&x=unroll&y=block"
expected=$(sqlite3 "$database" "SELECT count(DISTINCT measurement_id) FROM winners WHERE n = 4194304 AND determinism = 'any'")
grep -q "data-rows=\"$expected\"" "$scratch/dom" || fail "the filter does not select $expected winners"
grep -q 'configurations at 64Ki elements' "$scratch/dom" || fail "the size of the fragment is not shown"
command=$(grep -o 'title="redtune query [^"]*"' "$scratch/dom" | head -n 1 | sed 's/^title="redtune //; s/"$//')
[[ -n $command ]] || fail "no command to copy"
family=$(sqlite3 "$database" "SELECT family FROM winners WHERE n = 4194304 AND determinism = 'any'")
eval "REDTUNE_DB=$database REDTUNE_SYSTEM_DATA=$scratch/none \"\$redtune\" $command --format csv" >"$scratch/answer" ||
    fail "the copied command fails: $command"
grep -q "$family" "$scratch/answer" || fail "the copied command does not answer with $family: $(cat "$scratch/answer")"
open_page "$scratch/page.html" 1600 light "#filter=nothing+has+this"
grep -q 'data-rows="0"' "$scratch/dom" || fail "the filter selects winners without its words"

# The shipped data, with several units and problems.
REDTUNE_SYSTEM_DATA=$data "$redtune" report -o "$scratch/shipped.html" 2>/dev/null || fail "report of the shipped data"
(($(stat --format=%s "$scratch/shipped.html") <= 3 << 20)) || fail "the page of the shipped data has more than 3 MiB"
measured "$scratch/shipped.html" >"$scratch/measured.html"
shots=
open_page "$scratch/measured.html" 400 light "#all=yes&compare=dtype"
[[ $(count '<svg [^>]*class="marks"') == 10 ]] || fail "not 10 charts of the shipped data"
expect_fit 400
# expect_curves PATTERN...: checks that a legend of the opened page has each text.
expect_curves() {
    local text
    for text in "$@"; do
        grep -q ">$text</text>" "$scratch/dom" || fail "no curve '$text'"
    done
}

# CUB is in the charts of the shipped data, without an option.
open_page "$scratch/shipped.html" 900 light ""
expect_curves redtune CUB classic limit
(($(count '>limit</text>') == 2)) || fail "the limit is not in the charts of time and of bandwidth"
if grep -qE '[0-9] sweeps? did not finish' "$scratch/dom"; then fail "a sweep that a later one has finished counts as unfinished"; fi

# Several devices and several files are side by side.
cp "$data/nvidia-h200.winners.db" "$scratch/first.db"
cp "$data/nvidia-h200.winners.db" "$scratch/second.db"
chmod u+w "$scratch/second.db"
sqlite3 "$scratch/second.db" "UPDATE measurement SET median_us = 2 * median_us"
both=(--db "$scratch/first.db" --db "$scratch/second.db" --op sum --dtype f32)
shots=${3:+$3/files}
"$redtune" report "${both[@]}" --bench "$data/nvidia-h200.bench.csv" -o "$scratch/files.html" 2>/dev/null ||
    fail "report of two files"
measured "$scratch/files.html" >"$scratch/measured.html"
open_page "$scratch/measured.html" 400 dark ""
expect_curves first.db second.db CUB
expect_fit 400
sqlite3 "$scratch/second.db" "UPDATE device SET name = 'NVIDIA X1'"
shots=${3:+$3/devices}
"$redtune" report "${both[@]}" --device h200,x1 --bench "$data/nvidia-h200.bench.csv" -o "$scratch/devices.html" 2>/dev/null ||
    fail "report of two devices"
measured "$scratch/devices.html" >"$scratch/measured.html"
for width in 400 900 1600; do
    open_page "$scratch/measured.html" "$width" light ""
    expect_curves "NVIDIA H200" "NVIDIA X1" "CUB, NVIDIA H200"
    expect_fit "$width"
done
open_page "$scratch/devices.html" 900 light "#compare=nothing"
expect_curves redtune CUB
echo "9 charts at three widths in two themes, an empty console, a working filter and command"
