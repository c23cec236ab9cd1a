#!/bin/sh
# split.sh AMOUNT PEOPLE prints what each person pays of a bill.
amount=$1
people=$2

# Everybody pays the same share.
share=$((amount / people))

n=1
while [ "$n" -le "$people" ]; do
    echo "$n pays $share"
    n=$((n + 1))
done
