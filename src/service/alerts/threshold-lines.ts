import { lineHeightInUnit, thresholdLines } from '../../domain/alerts/annotation.ts';
import type { Call } from '../../operation/call.ts';
import { annotationsOn } from '../../store/alerts/annotations.ts';

/** In % volumetric water content; null if none is drawn. */
export async function drawnThresholds(call: Pick<Call, 'db'>, moduleId: number) {
  const drawings = await annotationsOn(call.db, moduleId, 'humidity');
  const newestHeight = (fill: 'threshold1' | 'threshold2'): number | null => {
    const line = thresholdLines(drawings, fill).at(-1);
    return line ? lineHeightInUnit(line) : null;
  };
  return { fieldCapacity: newestHeight('threshold1'), wiltingPoint: newestHeight('threshold2') };
}
