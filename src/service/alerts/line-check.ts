import { type AnnotationDrawing, lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { thresholdFillOf } from '../../domain/alerts/drawn-lines.ts';
import { curveSoilConstants } from '../../domain/moisture/agronomic-state.ts';
import { doubtLine, type JudgedLine, type LineDoubt } from '../../domain/moisture/line-limits.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import type { Call } from '../../operation/call.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import {
  type Annotation,
  confirmLine,
  heightOfNewestLine,
} from '../../store/alerts/annotations.ts';
import type { Module } from '../../store/company/modules.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';

/** The field capacity that past waterings of a probe suggest, in %. */
export interface SuggestedCapacity {
  of(call: Call, moduleId: number): Promise<number | null>;
}

export interface CheckedLine {
  readonly suggestedHeight: number | null;
  readonly doubt: LineDoubt | null;
}

const UNJUDGED: CheckedLine = { suggestedHeight: null, doubt: null };

/** Judges a threshold line on the humidity curve of a soil probe, and no other drawing. */
export async function checkLine(
  call: Call,
  module: Module,
  drawing: AnnotationDrawing,
  capacity: SuggestedCapacity,
): Promise<CheckedLine> {
  const fill = drawing.chartType === 'humidity' ? thresholdFillOf(drawing) : null;
  if (fill === null) return UNJUDGED;
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  if (!isSoilMoisture(source, module)) return UNJUDGED;

  const line: JudgedLine = fill === 'threshold1' ? 'fieldCapacity' : 'wiltingPoint';
  const soil = curveSoilConstants(source.curve, source.layers, call.now, () => true);
  const suggested = line === 'fieldCapacity' ? await capacity.of(call, module.id) : null;
  const drawn = { height: lineHeightInUnit(drawing), suggested, confirmed: null };
  return { suggestedHeight: suggested, doubt: doubtLine(line, drawn, soil) };
}

/** True if the line in force is drawn again at the same height, which confirms it. */
export async function isDrawnAgain(
  call: Call,
  moduleId: number,
  drawing: AnnotationDrawing,
): Promise<boolean> {
  const fill = thresholdFillOf(drawing);
  if (fill === null) return false;
  return (await heightOfNewestLine(call.db, moduleId, fill)) === lineHeightInUnit(drawing);
}

/** Asks the person where that is possible; else the answer says how to confirm the line. */
export async function settleDoubt(
  call: Call,
  { id, confirmedHeight }: Annotation,
  body: AnnotationBody,
  doubt: LineDoubt | null,
): Promise<void> {
  if (doubt === null || doubt.height === confirmedHeight) return;
  if (call.confirm({ kind: 'line', annotation: body, doubt }))
    return confirmLine(call.db, id, doubt.height);
  call.advise({ kind: 'line_in_doubt', ...doubt });
}
