import { useMemo, useReducer } from 'preact/hooks';
import type { Service } from '../service.ts';
import { toServiceError } from '../use-loaded.ts';
import { writerOnce } from '../write-once.ts';
import { adjust } from './adjustment.ts';
import { type Saving, savingOf, type ThresholdLine } from './threshold-lines.ts';

interface LineSaving extends Saving {
  readonly value: number;
}

interface AdjustmentOptions {
  readonly service: Service;
  readonly moduleId: number;
  /** The lines as they are stored now. */
  refresh(): Promise<void>;
  onSaved(): void;
}

/** Pull, confirm, undo. */
export function useAdjustment({ service, moduleId, refresh, onSaved }: AdjustmentOptions) {
  const [adjustment, dispatch] = useReducer(adjust, null);
  const writeLine = useMemo(() => writerOnce<LineSaving>(service), [service, moduleId]);
  const writeUndo = useMemo(() => writerOnce(service), [service]);
  return {
    ...{ adjustment, dispatch },
    async save(line: ThresholdLine, value: number): Promise<void> {
      dispatch({ kind: 'save' });
      try {
        const saving = savingOf(line, value, moduleId);
        const { recorded, answer } = await writeLine(`${saving.operation} ${line.id}`, { ...saving, value });
        await refresh();
        onSaved();
        dispatch({ kind: 'saved', value: recorded.value, changeId: answer.changeId ?? null });
      } catch (error) {
        dispatch({ kind: 'refused', error: toServiceError(error) });
      }
    },
    async undo(changeId: number): Promise<void> {
      dispatch({ kind: 'undo' });
      try {
        await writeUndo(String(changeId), { operation: 'undo', fields: { changeId: String(changeId) } });
        await refresh();
        onSaved();
        dispatch({ kind: 'undone' });
      } catch (error) {
        dispatch({ kind: 'refused', error: toServiceError(error) });
      }
    },
  };
}
