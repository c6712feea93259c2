import { useMemo, useReducer } from 'preact/hooks';
import type { Service, ServiceError } from '../service/service.ts';
import { toServiceError } from '../service/use-loaded.ts';
import { writerOnce } from '../service/write-once.ts';
import { type Saving, savingOf, type ThresholdLine } from './threshold-lines.ts';

/** A line that a person moves, from the first touch until the offer to undo is closed. */
export type Adjustment =
  | {
      readonly phase: 'moving' | 'saving';
      readonly line: ThresholdLine;
      readonly value: number;
      readonly error: null;
    }
  | {
      readonly phase: 'waiting';
      readonly line: ThresholdLine;
      readonly value: number;
      readonly error: ServiceError | null;
    }
  | {
      readonly phase: 'saved' | 'undoing';
      readonly line: ThresholdLine;
      readonly value: number;
      readonly changeId: number | null;
      readonly error: ServiceError | null;
    }
  | {
      readonly phase: 'undone';
      readonly line: ThresholdLine;
      readonly value: number;
      readonly error: null;
    };

export type AdjustmentEvent =
  | { readonly kind: 'grab'; readonly line: ThresholdLine }
  | { readonly kind: 'move'; readonly value: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'save' }
  /** `value` is the recorded one: that of an earlier attempt if its answer was lost. */
  | { readonly kind: 'saved'; readonly value: number; readonly changeId: number | null }
  | { readonly kind: 'undo' }
  | { readonly kind: 'undone' }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'close' };

/**
 * An event that does not fit the phase changes nothing: an answer may come after the person has
 * moved on.
 */
export function adjust(current: Adjustment | null, event: AdjustmentEvent): Adjustment | null {
  const isBusy = current?.phase === 'saving' || current?.phase === 'undoing';
  switch (event.kind) {
    case 'grab': {
      if (isBusy) return current;
      const isSameLine = current?.phase === 'waiting' && current.line.id === event.line.id;
      return isSameLine
        ? { ...current, phase: 'moving', error: null }
        : { phase: 'moving', line: event.line, value: event.line.value, error: null };
    }
    case 'move':
      return current?.phase === 'moving' || current?.phase === 'waiting'
        ? { ...current, value: event.value, error: null }
        : current;
    case 'drop':
      return current?.phase === 'moving' ? { ...current, phase: 'waiting' } : current;
    case 'cancel':
      return current?.phase === 'moving' || current?.phase === 'waiting' ? null : current;
    case 'save':
      return current?.phase === 'waiting' ? { ...current, phase: 'saving', error: null } : current;
    case 'saved':
      return current?.phase === 'saving'
        ? { ...current, phase: 'saved', value: event.value, changeId: event.changeId, error: null }
        : current;
    case 'undo':
      return current?.phase === 'saved' && current.changeId !== null
        ? { ...current, phase: 'undoing', error: null }
        : current;
    case 'undone':
      return current?.phase === 'undoing'
        ? { phase: 'undone', line: current.line, value: current.line.value, error: null }
        : current;
    case 'refused':
      if (current?.phase === 'saving') return { ...current, phase: 'waiting', error: event.error };
      return current?.phase === 'undoing'
        ? { ...current, phase: 'saved', error: event.error }
        : current;
    case 'close':
      return current?.phase === 'saved' || current?.phase === 'undone' ? null : current;
  }
}

/** The lines to draw, the pulled one at its new value. */
export function linesWith(
  lines: readonly ThresholdLine[],
  adjustment: Adjustment | null,
): readonly ThresholdLine[] {
  if (adjustment === null || adjustment.phase === 'undone') return lines;

  const { line, value } = adjustment;
  const moved = { ...line, value };
  const isKnown = lines.some(({ id }) => id === line.id);
  // A new alert is drawn until the stored one is loaded.
  if (!isKnown)
    return adjustment.phase === 'saved' || adjustment.phase === 'undoing'
      ? lines
      : [...lines, moved];

  return lines.map((each) => (each.id === line.id ? { ...each, value } : each));
}

export const isPulled = (
  adjustment: Adjustment | null,
): adjustment is Extract<Adjustment, { phase: 'moving' | 'waiting' | 'saving' }> =>
  adjustment?.phase === 'moving' ||
  adjustment?.phase === 'waiting' ||
  adjustment?.phase === 'saving';

interface LineSaving extends Saving {
  readonly value: number;
}

interface AdjustmentOptions {
  readonly service: Service;
  readonly moduleId: number;
  /** Loads the stored lines again. */
  refresh(): Promise<void>;
  onSaved(): void;
}

export function useAdjustment({ service, moduleId, refresh, onSaved }: AdjustmentOptions) {
  const [adjustment, dispatch] = useReducer(adjust, null);
  const writeLine = useMemo(() => writerOnce<LineSaving>(service), [service, moduleId]);
  const writeUndo = useMemo(() => writerOnce(service), [service]);

  return {
    adjustment,
    dispatch,
    async save(line: ThresholdLine, value: number): Promise<void> {
      dispatch({ kind: 'save' });
      try {
        const saving = savingOf(line, value, moduleId);
        const { recorded, answer } = await writeLine(`${saving.operation} ${line.id}`, {
          ...saving,
          value,
        });
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
        await writeUndo(String(changeId), {
          operation: 'undo',
          fields: { changeId: String(changeId) },
        });
        await refresh();
        onSaved();
        dispatch({ kind: 'undone' });
      } catch (error) {
        dispatch({ kind: 'refused', error: toServiceError(error) });
      }
    },
  };
}
