package main

func demo(args []string) int { return 1 }
