/* One page without scripts and without anything fetched, for a screen, light or dark, and for paper. All that
 * may come from a submission is escaped text, never an attribute's name, a style or an address. */
#include "html.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                           "style-src 'unsafe-inline'\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<meta name=\"color-scheme\" content=\"light dark\">\n";

static const char style[] =
    ":root{--ink:#1d2129;--soft:#667085;--paper:#fff;--card:#f6f7f9;--rule:#d9dde3;--good:#1a7f4b;--bad:#"
    "c2352b;"
    "--wait:#9a6700;--mark:#2f6fdb;--warm:#fdf0d5;--empty:#c9ced6}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#98a2b3;--paper:#14171c;--card:#1d2127;"
    "--rule:#343a43;--good:#4cc38a;--bad:#ff7b72;--wait:#e0b252;--mark:#7aa8ff;--warm:#3a2f18;--empty:#"
    "4a515c}}\n"
    "@media "
    "print{:root{--ink:#000;--soft:#444;--paper:#fff;--card:#fff;--rule:#bbb;--good:#1a7f4b;--bad:#c2352b;"
    "--wait:#9a6700;--mark:#2f6fdb;--warm:#fdf0d5;--empty:#bbb}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}.line,figure,tr{break-inside:avoid}}\n"
    "body{margin:0 auto;max-width:68rem;padding:1.5rem;color:var(--ink);background:var(--paper);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2.5rem 0 .5rem}"
    "h3{font-size:1rem;margin:1.5rem 0 .25rem}p{margin:.4rem 0}a{color:var(--mark)}\n"
    "header{display:flex;align-items:baseline;gap:1rem;flex-wrap:wrap;"
    "border-bottom:2px solid var(--ink);padding-bottom:.75rem}\n"
    ".total{margin-left:auto;font-size:2rem;font-weight:650;font-variant-numeric:tabular-nums}.total "
    "small,.soft{color:var(--soft);"
    "font-weight:400}.total small{font-size:1rem}\n"
    ".soft{font-size:.85rem;overflow-wrap:anywhere}"
    "header .standing{flex:0 0 100%;text-align:right}.standing{font-weight:600;font-size:.85rem;color:var(--soft)}.standing.full{color:var(--good)}"
    ".standing.partly{color:var(--wait)}.standing.remark{color:var(--mark)}.standing.failed{color:var(--bad)}\n"
    "table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:500;font-size:.8rem;color:var(-"
    "-soft)}"
    "td,th{padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--rule);vertical-align:middle}"
    ".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".line{border:1px solid var(--rule);border-left:4px solid var(--empty);border-radius:4px;"
    "background:var(--card);padding:.45rem .8rem;margin:.45rem 0}.line.full{border-left-color:var(--good)}"
    ".line.partly{border-left-color:var(--wait)}.line.remark{border-left-color:var(--mark)}"
    ".line.failed{border-left-color:var(--bad)}\n"
    ".line>div:first-child{display:flex;gap:.8rem;align-items:baseline;flex-wrap:wrap}.line "
    ".number{margin-left:auto}"
    "code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85rem}\n"
    "pre{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.35}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}figure{margin:.4rem 0 .9rem}figcaption{font-size:.85rem}"
    "svg{max-width:100%;height:auto;display:block}svg text{fill:var(--ink);font:11px system-ui,sans-serif}\n"
    ".ladder{table-layout:fixed}.ladder th:first-child{width:28%}.ladder thead .number{width:4.7rem}"
    ".ladder tbody th{font-size:1rem;color:var(--ink)}.ladder th span{white-space:nowrap}.ladder "
    "svg{width:100%;height:24px}"
    ".clock{border:1px solid var(--soft);border-radius:3px;padding:0 "
    ".35rem;font-size:.8rem;font-weight:400;color:var(--soft)}\n"
    ".source td,.source th{border:0;padding:0 .7rem 0 0;font-size:.8rem;vertical-align:top}"
    ".source td:last-child{width:100%}.source td.number{color:var(--soft)}"
    ".source code{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}"
    ".source tr.waste td{background:var(--warm)}.source tr.waste td.over{color:var(--bad);font-weight:600}"
    ".source tr:target td{outline:1px solid var(--mark)}\n"
    "@media print{h2,h3{break-after:avoid}}\n";

/* Labels above the bars, counts below their source line, each with its name. */
static const char phone_style[] =
    "@media (max-width:40rem){body{padding:.9rem}.total{margin-left:0}header .standing{text-align:left}"
    ".line>div:first-child{row-gap:0}.line .number{order:1}.line .title,.line .standing{order:2}"
    ".line .title{min-width:50%}table,tbody{display:block}thead{display:none}"
    "tr{display:flex;flex-wrap:wrap;align-items:baseline;column-gap:.8rem}"
    ".ledger tr,.ladder tr{border-bottom:1px solid var(--rule);padding:.4rem 0}"
    ".ledger td,.ladder td,.ladder tbody th:first-child{border:0;padding:0;width:auto}"
    ".ledger .number{margin-left:auto}.ledger .bar,.ledger .state{order:1;flex:0 0 100%}.ledger svg{width:100%;height:10px}"
    ".ladder tbody th:first-child,.ladder .bar{flex:0 0 100%}.ladder .bar{order:1}"
    ".ladder td.number{font-size:.85rem}.ladder td.number::before{content:\"submission \";color:var(--soft)}"
    ".ladder td.number:last-child::before{content:\"reference \"}"
    ".source tr{column-gap:.6rem;padding:.1rem 0 .1rem 2.4rem}.source tr.waste{background:var(--warm)}"
    ".source td{padding:0}.source td:empty{display:none}"
    ".source td:first-child{order:-2;flex:0 0 1.8rem;margin-left:-2.4rem}"
    ".source td:last-child{order:-1;flex:1 1 99%;min-width:0}"
    ".source td:nth-child(2)::before{content:\"lanes \"}.source td:nth-child(3)::before{content:\"loads \"}"
    ".source td:nth-child(4)::before{content:\"sectors \"}.source td:nth-child(5)::before{content:\"stores \"}"
    ".source td:nth-child(6)::before{content:\"sectors \"}"
    ".source td:nth-child(7)::before{content:\"conflicts \"}"
    ".source td:last-child::before{content:none}}\n";

void html_put_member(FILE *out, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  char *text = report_text(json_string_value(value), json_string_length(value), REPORT_TEXT_LIMIT);
  report_put_escaped(out, text, true);
  free(text);
}

/* Classes of the style above. */
static const char *const tones[] = {
    [STANDING_FULL] = "full",      [STANDING_PARTLY] = "partly", [STANDING_REMARK] = "remark",
    [STANDING_UNWRITTEN] = "open", [STANDING_WAITING] = "open",  [STANDING_FAILED] = "failed"};

static void put_standing(FILE *out, const struct standing *standing) {
  fprintf(out, "<span class=\"standing %s\">%s</span>", tones[standing->tone], standing->words);
}

/* A fraction as a bar; what is no fraction, as none. */
static void put_bar(FILE *out, double points, double max_points) {
  const double part = max_points > 0 ? fmin(fmax(points / max_points, 0), 1) : 0;
  fprintf(out,
          "<svg width=\"160\" height=\"10\" viewBox=\"0 0 160 10\" preserveAspectRatio=\"none\" "
          "role=\"img\" aria-label=\"%.0f %% of the points\">"
          "<rect width=\"160\" height=\"10\" rx=\"3\" fill=\"var(--rule)\"/>"
          "<rect width=\"%.1f\" height=\"10\" rx=\"3\" fill=\"var(--%s)\"/></svg>",
          100 * part, 160 * part, part < 1 ? "mark" : "good");
}

static void put_paragraph(FILE *out, const char *tag, const char *words, const char *text) {
  if (!text[0])
    return;
  fprintf(out, "<%s>%s", tag, words);
  report_put_escaped(out, text, false);
  fprintf(out, "</%s>\n", tag);
}

static void put_source(FILE *out, const struct report_lab *lab, const struct report_line *line) {
  if (!line->source[0])
    return;
  fputs("<p class=\"soft\">at ", out);
  html_put_place(out, lab, line->source);
  fputs("</p>\n", out);
}

static void put_line(FILE *out, const struct report_lab *lab, const struct report_line *line, bool graded) {
  fprintf(out, "<div class=\"line %s\"><div><code>", tones[line->standing.tone]);
  report_put_escaped(out, line->id, false);
  fputs("</code> <span class=\"title\">", out);
  report_put_escaped(out, line->title, false);
  fputs("</span> ", out);
  put_standing(out, &line->standing);
  if (graded && line->max_points > 0)
    fprintf(out, "<span class=\"number\">%.6g of %.6g points</span>", line->points, line->max_points);
  else if (graded && line->standing.tone == STANDING_REMARK)
    fputs("<span class=\"number\">costs no points</span>", out);
  fputs("</div>\n", out);
  if (strcmp(line->message, lab->message) != 0) /* what is wrong with the lab, once */
    put_paragraph(out, "pre", "", line->message);
  html_put_measure(out, line);
  put_paragraph(out, "p", "Remark, costs nothing: ", line->remark);
  put_paragraph(out, "pre", "Shows: ", line->shown);
  put_source(out, lab, line);
  if (line->hint[0]) {
    fputs("<p class=\"soft\">Hint: <code>", out);
    report_put_escaped(out, line->hint, false);
    fputs("</code></p>\n", out);
  }
  fputs("</div>\n", out);
}

static void put_lab(FILE *out, const struct report *report, size_t place) {
  const struct report_lab *lab = &report->labs[place];
  fprintf(out, "<section id=\"lab-%zu\">\n<h2>", place);
  report_put_escaped(out, lab->name, false);
  fputs(": ", out);
  if (report->graded)
    fprintf(out, "%.6g of %.6g points; ", lab->points, lab->max_points);
  put_standing(out, &lab->standing);
  fputs("</h2>\n", out);
  put_paragraph(out, "pre", "", lab->message);
  for (size_t k = 0; k < lab->line_count; k++)
    put_line(out, lab, &lab->lines[k], report->graded);
  if (report->graded && report->lab_count == 1)
    html_put_ladders(out, report);
  html_put_kernels(out, lab);
  fputs("</section>\n", out);
}

static void put_ledger(FILE *out, const struct report *report) {
  fputs("<table class=\"ledger\">\n<thead><tr><th>lab</th><th>state</th><th></th><th "
        "class=\"number\">points</th></tr></thead>\n<tbody>\n",
        out);
  for (size_t k = 0; k < report->lab_count; k++) {
    const struct report_lab *lab = &report->labs[k];
    fprintf(out, "<tr><td><a href=\"#lab-%zu\">", k);
    report_put_escaped(out, lab->name, false);
    fputs("</a></td><td class=\"state\">", out);
    put_standing(out, &lab->standing);
    fputs("</td><td class=\"bar\">", out);
    put_bar(out, lab->points, lab->max_points);
    fprintf(out, "</td><td class=\"number\">%.6g of %.6g</td></tr>\n", lab->points, lab->max_points);
  }
  fputs("</tbody>\n</table>\n", out);
}

static void put_header(FILE *out, const struct report *report) {
  char *infra = report_infra(report);
  fputs("<header><h1>", out);
  report_put_escaped(out, report->submission, false);
  fputs("</h1>\n", out);
  if (report->graded)
    fprintf(out, "<div class=\"total\">%.6g <small>of %.6g points</small></div>", report->points,
            report->max_points);
  put_standing(out, &report->standing);
  fputs("</header>\n", out);
  put_paragraph(out, "pre", "", report->graded ? report->message : infra);
  free(infra);
}

static void put_footer(FILE *out, const struct report *report) {
  char *summary = report_summary(report);
  const char *provenance = strrchr(summary, '\n'); /* the last line */
  const bool counted = strcmp(report->mode, "time") != 0;
  fprintf(out, "<footer class=\"soft\"><p>Points between the limits are linear.%s</p>\n",
          counted ? " Counters are those of the simulated GPU: the same in every run." : "");
  put_paragraph(out, "p", "", provenance ? provenance + 1 : summary);
  fputs("</footer>\n", out);
  free(summary);
}

bool report_html(const struct report *report, FILE *out) {
  fprintf(out, "%s<title>", head);
  report_put_escaped(out, report->submission, false);
  fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", style, phone_style);
  put_header(out, report);
  if (report->graded && report->lab_count > 1)
    put_ledger(out, report);
  if (report->graded && report->lab_count > 1)
    html_put_ladders(out, report);
  for (size_t k = 0; k < report->lab_count; k++)
    put_lab(out, report, k);
  put_footer(out, report);
  return fputs("</body>\n</html>\n", out) != EOF;
}
