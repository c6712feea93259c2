import { lineHeightInUnit, type TensionFill, tensionLines } from '../../domain/alerts/annotation.ts';
import type { TensionLevels } from '../../domain/moisture/tension.ts';
import type { Call } from '../../operation/call.ts';
import { annotationsOn } from '../../store/alerts/annotations.ts';

export async function drawnTensionLevels(call: Pick<Call, 'db'>, moduleId: number): Promise<TensionLevels> {
  const drawings = await annotationsOn(call.db, moduleId, 'tensio');
  const newestHeight = (fill: TensionFill): number | null => {
    const line = tensionLines(drawings, fill).at(-1);
    return line ? lineHeightInUnit(line) : null;
  };
  return { wetLevel: newestHeight('wet'), dryLevel: newestHeight('dry') };
}
