import type { ServiceError } from '../service/page-service.ts';
import { toServiceError } from '../service/use-loaded.ts';
import type { ThresholdLine } from './threshold-lines.ts';

interface LineAtValue {
  readonly line: ThresholdLine;
  readonly value: number;
  /** Why the last attempt to save or to undo failed. */
  readonly error: ServiceError | null;
}

export interface PulledAdjustment extends LineAtValue {
  readonly phase: 'moving' | 'waiting' | 'saving';
}

interface SavedAdjustment extends LineAtValue {
  /** While it is being undone or confirmed, `changing`. */
  readonly phase: 'saved' | 'changing';
  readonly changeId: number | null;
}

interface UndoneAdjustment extends LineAtValue {
  readonly phase: 'undone';
}

/** A line that a person moves, from the first touch until the offer to undo is closed. */
export type Adjustment = PulledAdjustment | SavedAdjustment | UndoneAdjustment;

export interface SavedLine {
  /** The recorded value: that of an earlier attempt if its answer was lost. */
  readonly value: number;
  readonly changeId: number | null;
}

interface AdjustmentOptions {
  save(line: ThresholdLine, value: number): Promise<SavedLine>;
  undo(changeId: number): Promise<void>;
  onChange(): void;
}

/** Adjusts one line at a time. A call that does not fit the phase is ignored. */
export class LineAdjustment {
  readonly #options: AdjustmentOptions;
  #current: Adjustment | null = null;

  constructor(options: AdjustmentOptions) {
    this.#options = options;
  }

  get current(): Adjustment | null {
    return this.#current;
  }

  /** Resumes the same line where it was released, and another line at its own value. */
  grab(line: ThresholdLine): void {
    const current = this.#current;
    if (current?.phase === 'saving' || current?.phase === 'changing') return;

    const isResumed = current?.phase === 'waiting' && current.line.id === line.id;
    const pulled = isResumed ? current : { line, value: line.value };
    this.#set({ ...pulled, phase: 'moving', error: null });
  }

  move(value: number): void {
    const current = this.#current;
    if (current?.phase === 'moving' || current?.phase === 'waiting')
      this.#set({ ...current, value, error: null });
  }

  drop(): void {
    const current = this.#current;
    if (current?.phase === 'moving') this.#set({ ...current, phase: 'waiting' });
  }

  cancel(): void {
    const phase = this.#current?.phase;
    if (phase === 'moving' || phase === 'waiting') this.#set(null);
  }

  close(): void {
    const phase = this.#current?.phase;
    if (phase === 'saved' || phase === 'undone') this.#set(null);
  }

  async save(): Promise<void> {
    const current = this.#current;
    if (current?.phase !== 'waiting') return;

    this.#set({ ...current, phase: 'saving', error: null });
    try {
      const saved = await this.#options.save(current.line, current.value);
      this.#set({ ...current, ...saved, phase: 'saved', error: null });
    } catch (error) {
      this.#set({ ...current, error: toServiceError(error) });
    }
  }

  async undo(): Promise<void> {
    const current = this.#current;
    if (current?.phase !== 'saved' || current.changeId === null) return;

    const { line, changeId } = current;
    const undone = { phase: 'undone', line, value: line.value, error: null } as const;
    await this.#change(current, () => this.#options.undo(changeId), undone);
  }

  /** Writes `stored` again where it is: that confirms a line which its soil does not explain. */
  async confirm(stored: ThresholdLine): Promise<void> {
    const current = this.#current;
    if (current?.phase === 'saved')
      await this.#change(current, () => this.#options.save(stored, current.value), null);
  }

  /** If it fails, the line stays saved. */
  async #change(
    current: SavedAdjustment,
    write: () => Promise<unknown>,
    next: Adjustment | null,
  ): Promise<void> {
    this.#set({ ...current, phase: 'changing', error: null });
    try {
      await write();
      this.#set(next);
    } catch (error) {
      this.#set({ ...current, error: toServiceError(error) });
    }
  }

  #set(adjustment: Adjustment | null): void {
    this.#current = adjustment;
    this.#options.onChange();
  }
}

/** The lines to draw, the pulled one at its new value. */
export function linesWith(
  lines: readonly ThresholdLine[],
  adjustment: Adjustment | null,
): readonly ThresholdLine[] {
  if (adjustment === null || adjustment.phase === 'undone') return lines;

  const { line: pulled, value, phase } = adjustment;
  if (lines.some(({ id }) => id === pulled.id))
    return lines.map((line) => (line.id === pulled.id ? { ...line, value } : line));

  // A new alert is drawn until the stored one is loaded.
  const isStored = phase === 'saved' || phase === 'changing';
  return isStored ? lines : [...lines, { ...pulled, value }];
}

export const isPulled = (adjustment: Adjustment | null): adjustment is PulledAdjustment =>
  adjustment?.phase === 'moving' ||
  adjustment?.phase === 'waiting' ||
  adjustment?.phase === 'saving';
