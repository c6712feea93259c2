import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import type { ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import type { RuleSample } from './message-devices.ts';
import { isMissingCode } from './message-values.ts';
import { firstMet } from './samples.ts';

/** By what a device says that a measurement failed. */
export interface Failure {
  readonly path: string;
  readonly value: unknown;
}

/** The measurements of a message that failed. */
export class MessageFailures {
  readonly list: Failure[] = [];

  /** Returns whether the whole sample stands for a failed measurement. */
  addSample({ failed }: Pick<ReadingsRule, 'failed'>, sample: Sample): boolean {
    const met = firstMet(failed, sample);
    if (met !== undefined) this.list.push({ path: met.path, value: valueAt(sample, met.path) });
    return met !== undefined;
  }

  /** Returns whether the value stands for a failed measurement. */
  addValue(
    { path, missing, failed }: ValueRule,
    value: unknown,
    { rule, sample }: RuleSample,
  ): boolean {
    if (this.addSample({ failed }, sample)) return true;
    const isMissing = isMissingCode(missing ?? rule.missing, value);
    if (isMissing) this.list.push({ path, value });
    return isMissing;
  }
}
