/** Draws results as Markdown. */

import { type Figure, type Measure, type RunRecord, RUNTIME_NAMES } from "./plan.ts";
import { type Row, rowOf, type Spread } from "./ratios.ts";
import { judge, targetText, type Verdict } from "./targets.ts";

/** All tables of some measures. */
export function drawTables(measures: readonly Measure[], records: readonly RunRecord[]): string {
  return measures.map((measure) => drawMeasure(measure, records.filter(({ measure: name }) => name === measure.name)))
    .filter((text) => text !== "").join("\n\n");
}

/** One line per target that there is something to judge by. */
export function drawVerdicts(measures: readonly Measure[], records: readonly RunRecord[]): string {
  const lines = measures.flatMap((measure) => {
    const mine = records.filter(({ measure: name }) => name === measure.name);
    return rowsOf(measure, mine).flatMap((row) => {
      const verdict = judge(measure.name, row);
      if (verdict?.value === undefined) return [];
      const { target, value, met } = verdict;
      return [
        `| ${measure.title}: ${row.case}, ${row.figure.title} | ${row.runtime} | ${targetText(target)} | ` +
        `${spreadText(value, row.figure, target.of !== "tether")} | ${met ? "met" : "**missed**"} |`,
      ];
    });
  });
  if (lines.length === 0) return "";
  return ["| target | runtime | | measured | |", "|---|---|---|---|---|", ...lines].join("\n");
}

/** Every row of a measure. */
export function rowsOf(measure: Measure, records: readonly RunRecord[]): Row[] {
  // What only the limit has is no case of its own.
  const cases = [...new Set(records.filter(({ side }) => side !== "raw").flatMap(({ cases }) => cases))];
  const runtimes = RUNTIME_NAMES.filter((name) => records.some(({ runtime }) => runtime === name));
  return measure.figures.flatMap((figure) =>
    cases.flatMap((name) => runtimes.map((runtime) => rowOf(figure, name, runtime, records)))
  );
}

function drawMeasure(measure: Measure, records: readonly RunRecord[]): string {
  if (records.length === 0) return "";
  const rows = rowsOf(measure, records);
  const parts = [`### ${measure.title}`, measure.about];
  for (const figure of measure.figures) {
    const mine = rows.filter((row) => row.figure === figure && (row.tether ?? row.official ?? row.raw) !== undefined);
    if (mine.length > 0) parts.push(drawFigure(measure.name, figure, mine));
  }
  const details = measure.details?.(records) ?? "";
  if (details !== "") parts.push(details);
  const failed = records.filter(({ error }) => error !== undefined);
  if (failed.length > 0) parts.push(`Failed: ${failedText(failed)}.`);
  return parts.join("\n\n");
}

/** A column: its head, and what stands in it for a row. */
type Column = readonly [head: string, cell: (row: Row, verdict: Verdict | undefined) => string];

function drawFigure(measure: string, figure: Figure, rows: readonly Row[]): string {
  const noRatio = figure.noRatio === true || figure.yesNo === true;
  const columns: Column[] = [
    ["case", (row) => row.case],
    ["runtime", (row) => row.runtime],
    ["limit", (row) => row.raw && `${spreadText(row.raw, figure)}${row.way === "" ? "" : ` ${row.way}`}` || ""],
    ["Tether", (row) => spreadText(row.tether, figure)],
    ["official SDK", (row) => spreadText(row.official, figure)],
    ["Tether ÷ limit", (row) => spreadText(row.tetherByRaw, figure, true)],
    ["official ÷ limit", (row) => spreadText(row.officialByRaw, figure, true)],
    ["Tether ÷ official", (row) => spreadText(row.tetherByOfficial, figure, true)],
    [
      "Tether − limit",
      (row, verdict) => verdict?.target.of === "tetherLessRaw" ? spreadText(row.tetherLessRaw, figure) : "",
    ],
    [
      "target",
      (_, verdict) =>
        verdict === undefined
          ? ""
          : `${targetText(verdict.target)}${verdict.value === undefined ? "" : verdict.met ? ": met" : ": **missed**"}`,
    ],
  ];
  const cells = rows.map((row) => {
    const verdict = judge(measure, row);
    return columns.map(([head, cell]) => noRatio && head.includes("÷") ? "" : cell(row, verdict));
  });
  const filled = columns.map((_, index) => cells.some((row) => row[index] !== ""));
  // A column in which every row says the same needs no room, unless it is the only one that names the rows.
  filled[0] &&= new Set(cells.map(([name]) => name)).size > 1;
  const line = (texts: readonly string[]): string => `| ${texts.filter((_, index) => filled[index]).join(" | ")} |`;
  return [
    `**${figure.title}**`,
    "",
    line(columns.map(([head]) => head)),
    line(columns.map(() => "---")),
    ...cells.map(line),
  ].join("\n");
}

/** `median (least–most)`; for one value only that. */
function spreadText(spread: Spread | undefined, { yesNo }: Figure, ratio = false): string {
  if (spread === undefined) return "";
  const { median, least, most } = spread;
  if (yesNo === true && !ratio) return least === most ? (median === 1 ? "yes" : "no") : "now and then";
  const text = (value: number): string => ratio ? value.toFixed(2) : numberText(value);
  return least === most ? text(median) : `${text(median)} (${text(least)}–${text(most)})`;
}

/** Three digits that count. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}

function failedText(failed: readonly RunRecord[]): string {
  const counts = new Map<string, number>();
  for (const { cases, runtime, side, way } of failed) {
    const name = [cases[0], runtime, side, way].filter((word) => word !== "").join(", ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} (${count})`).join("; ");
}
