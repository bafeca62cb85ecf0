#!/usr/bin/env python3
"""Checks reports in a real browser: what they say, that they ask for nothing, sort, fit, and have two themes.

usage: report_page.py DIR   with kernels.html (three kernels), hostile.html, big.html and big.json, as case-report makes them
exit status 77: there is no browser
"""
import gzip
import os
import sys
import time

import browser

SCHEMES = {"light": lambda lightness: lightness > 0.8, "dark": lambda lightness: lightness < 0.2}


def check(condition, *what):
    if not condition:
        sys.exit("report: " + " ".join(str(part) for part in what))


def is_quiet(page, path):
    check(page.requests() == ["file://" + os.path.abspath(path)], path, "asked for", page.requests())
    check(page.complaints() == [], path, "complains:", page.complaints())


def lightness(page, element="body"):
    colour = page.evaluate(f"getComputedStyle(document.querySelector('{element}')).backgroundColor")
    numbers = [float(number) for number in colour[colour.index("(") + 1:-1].split(",")[:3]]
    return sum(numbers) / 3 / 255


def column(page, table, number):
    return page.evaluate(f"Array.from(document.querySelectorAll('{table} tbody tr')).map(r => r.cells[{number}].textContent.trim())")


def fits(page, path):
    for width in (360, 1280):
        for scheme, is_right in SCHEMES.items():
            page.open(path, width=width, scheme=scheme)
            is_quiet(page, path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            check(wide <= width, path, "is", wide, "pixels wide in a window of", width)
            check(is_right(lightness(page)), path, scheme, "has a background of", lightness(page))


def says_verdicts(page, path):
    page.open(path)
    check(page.evaluate("document.title") == "2.4.8-pre8 and 2.4.7-ac10 against 2.4.7", page.evaluate("document.title"))
    check(page.evaluate("document.documentElement.lang") == "en", "no language")
    check(column(page, "#verdicts", 0) == ["✕ worse", "✕ worse"], column(page, "#verdicts", 0))
    check(column(page, "#verdicts", 1) == ["2.4.8-pre8", "2.4.7-ac10"], column(page, "#verdicts", 1))
    levels = page.evaluate("Array.from(document.querySelectorAll('h1,h2,h3')).map(h => Number(h.tagName[1]))")
    check(levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), "headings", levels)
    bare = page.evaluate("Array.from(document.querySelectorAll('th')).filter(h => !h.scope).length")
    check(bare == 0, bare, "header cells without a scope")
    mute = page.evaluate("Array.from(document.querySelectorAll('main svg')).filter(s => !s.getAttribute('aria-label')).length")
    check(mute == 0, mute, "charts without a name")
    same = page.evaluate("(ids => ids.length - new Set(ids).size)(Array.from(document.querySelectorAll('[id]')).map(e => e.id))")
    check(same == 0, same, "ids that are not unique")


def sorts(page, path):
    """By number and not by letter, both ways, told to a screen reader, by keyboard as well."""
    table = "#runs"
    button = f"Array.from(document.querySelectorAll('{table} thead th')).find(h => h.textContent === 'value').querySelector('button')"
    page.open(path)
    at = page.evaluate(button + ".closest('th').cellIndex")
    before = column(page, table, at)
    page.evaluate(button + ".click()")
    up = column(page, table, at)
    check(page.evaluate(button + ".closest('th').getAttribute('aria-sort')") == "ascending", "not told that it is sorted")
    check(up == sorted(before, key=float) and up != before, "sorted up:", up)
    page.evaluate(button + ".focus()")
    page.press("Enter")
    check(column(page, table, at) == up[::-1], "sorted down:", column(page, table, at))
    check(page.evaluate(button + ".closest('th').getAttribute('aria-sort')") == "descending", "not told that it is reversed")


def toggles(page, path):
    page.open(path, scheme="light")
    check(lightness(page) > 0.8, "not light")
    page.evaluate("document.getElementById('theme').click()")
    check(lightness(page) < 0.2, "not dark after a click")
    page.evaluate("document.getElementById('theme').click()")
    check(lightness(page) > 0.8, "not light after two")
    page.open(path, scheme="dark", media="print")
    check(page.evaluate("getComputedStyle(document.querySelector('.tools')).display") == "none", "buttons on paper")


def is_reached_by_keyboard(page, path):
    page.open(path)
    page.press("Tab")
    check(page.evaluate("document.activeElement.className") == "skip", "the first stop is no way past the contents")
    check(page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0, "it is not seen")
    page.press("Enter")
    check(page.evaluate("location.hash") == "#verdicts", "it leads nowhere")
    page.press("Tab")
    check(page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", "focus is not seen")


def reads_without_scripts(page, path):
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(path)
    text = page.evaluate("document.body.innerText")
    check("2.4.8-pre8 is 0.5850x (0.5675 to 0.6031" in text, "no verdict without scripts")
    check(page.evaluate("document.querySelectorAll('button').length") == 0, "buttons that do nothing")
    page.call("Emulation.setScriptExecutionDisabled", value=False)


def download(page, path, directory):
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    page.open(path)
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=directory)
    page.evaluate("document.querySelector('a.download').click()")
    deadline = time.monotonic() + 30
    # the browser reserves the name, empty, beside the file that it writes first
    while len(names := os.listdir(directory)) != 1 or not names[0].startswith("runs.json") or "crdownload" in names[0]:
        check(time.monotonic() < deadline, path, "gives no data:", names)
        time.sleep(0.05)
    name = names[0]
    with (gzip.open if name.endswith(".gz") else open)(os.path.join(directory, name), "rb") as file:
        return file.read()


def is_plain_text(page, path):
    """What a hostile store holds is on the page as text, and has made no element of its own."""
    page.open(path)
    check(page.evaluate("document.querySelectorAll('script').length") == 1, "scripts of others")
    check(page.evaluate("document.querySelectorAll('main b, main i, main img').length") == 0, "elements of others")
    text = page.evaluate("document.body.innerText")
    for wanted in ("<script>alert(1)</script>", "${HOME}`id`", "%s%n%d", "x" * 9999, "real\\x0anewline", "<img src=x onerror=alert(1)>"):
        check(wanted in text, wanted[:40], "is not on the page")


def main():
    if not browser.PROGRAM:
        print("no chromium")
        sys.exit(77)
    directory = sys.argv[1]
    kernels, hostile, big = (os.path.join(directory, name + ".html") for name in ("kernels", "hostile", "big"))
    into = os.path.join(directory, "downloads")
    os.mkdir(into)
    page = browser.Browser()
    try:
        for path in (kernels, hostile, big):
            fits(page, path)
        says_verdicts(page, kernels)
        sorts(page, kernels)
        toggles(page, kernels)
        is_reached_by_keyboard(page, kernels)
        reads_without_scripts(page, kernels)
        is_plain_text(page, hostile)
        for path in (kernels, big):
            with open(path[:-len("html")] + "json", "rb") as file:
                check(download(page, path, into) == file.read(), path, "gives other data than export")
    finally:
        page.close()


main()
