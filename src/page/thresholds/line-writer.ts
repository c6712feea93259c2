import type { ServiceCall } from '../service/page-operations.ts';
import type { Service } from '../service/page-service.ts';
import { writerOnce } from '../service/write-once.ts';
import type { SavedLine } from './adjustment.ts';
import { isTensionLevel, LINE_FILLS, type ThresholdLine } from './threshold-lines.ts';

type Saving = ServiceCall<
  'update_alert' | 'create_alert' | 'update_annotation' | 'create_annotation'
>;

type LineSaving = Saving & { readonly value: number };

interface LineWriterOptions {
  readonly service: Service;
  readonly moduleId: number;
  /** Called after a write, before it is reported: loads the stored lines again. */
  onWritten(): Promise<void>;
}

/** Saves the lines of a probe, and undoes what was saved. */
export function lineWriter({ service, moduleId, onWritten }: LineWriterOptions) {
  const writeLine = writerOnce<LineSaving>(service);
  const writeUndo = writerOnce<ServiceCall<'undo'>>(service);

  return {
    async save(line: ThresholdLine, value: number): Promise<SavedLine> {
      const saving = savingOf(line, value, moduleId);
      const { recorded, answer } = await writeLine(`${saving.operation} ${line.id}`, {
        ...saving,
        value,
      });
      await onWritten();
      return { value: recorded.value, changeId: answer.changeId ?? null };
    },
    async undo(changeId: number): Promise<void> {
      await writeUndo(String(changeId), { operation: 'undo', fields: { changeId } });
      await onWritten();
    },
  };
}

/**
 * A drawn line moves the threshold of its alert with it; a figure of the soil profile is replaced
 * by a drawing.
 */
export function savingOf(line: ThresholdLine, value: number, moduleId: number): Saving {
  const { id, kind, annotationId } = line;
  if (annotationId !== null)
    return { operation: 'update_annotation', fields: { annotationId, value } };
  if (kind === 'newAlert')
    return { operation: 'create_alert', fields: { moduleId, threshold: value } };
  if (kind === 'alert')
    return { operation: 'update_alert', fields: { alertId: id, threshold: value } };

  const fill = LINE_FILLS[kind];
  const chartType = isTensionLevel(line) ? 'tensio' : 'humidity';
  return {
    operation: 'create_annotation',
    fields: { moduleId, chartType, type: 'h-line', value, style: { fill } },
  };
}
