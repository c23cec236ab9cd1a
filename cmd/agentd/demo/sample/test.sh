#!/bin/sh
# sh test.sh runs split.sh and checks that the bill is paid.
cd "$(dirname "$0")" || exit 1
failed=0

# result TEXT FAULT counts a test; FAULT is empty if it passes.
result() {
    if [ -z "$2" ]; then
        echo "ok    $1"
    else
        echo "FAIL  $1: $2"
        failed=$((failed + 1))
    fi
}

# numbers WORD gives the numbers after a word of the output.
numbers() { echo "$out" | sed -n "s/^.*$1 \([0-9][0-9]*\)$/\1/p"; }

# paid AMOUNT PEOPLE: together they pay the bill, and the tip if there is one.
paid() {
    out=$(sh split.sh "$1" "$2" 2>&1)
    sum=0 fault=
    for n in $(numbers pays); do sum=$((sum + n)); done
    for n in $(numbers tip) 0; do sum=$((sum - n)); done
    [ "$sum" -eq "$1" ] || fault="they pay $sum"
    result "$1 among $2" "$fault"
}

# nobody AMOUNT: without people there is a message, not a crash.
nobody() {
    fault="no message"
    case $(sh split.sh "$1" 0 2>&1) in *nobody*) fault= ;; esac
    result "$1 among 0" "$fault"
}

paid 90 3
paid 100 3
paid 5 4
nobody 10

if [ "$failed" -gt 0 ]; then
    echo "$failed of 4 fail"
    exit 1
fi
echo "all 4 pass"
