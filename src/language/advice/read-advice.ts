import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import type { Reason } from '../../domain/advice/reason.ts';
import type { Text } from '../../domain/text/text.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import { reasonsOf } from '../../schema/advice/reasons-of-body.ts';
import type { Advisory } from '../../schema/advisory.ts';

/** An advice as summaries read it: its reasons carry the facts that its fields hold. */
export interface ReadAdvice extends Omit<AdviceBody, 'reasons'> {
  readonly reasons: readonly Reason[];
}

export const readAdvice = (
  advice: AdviceBody,
  advisories: readonly Advisory[] = [],
): ReadAdvice => ({ ...advice, reasons: reasonsOf(advice, advisories) });

/** What an advice gives for a probe, or for a parcel without one. */
export type AdvisedAmounts = Pick<
  ReadAdvice,
  | 'reasons'
  | 'deficitMm'
  | 'settings'
  | 'netMm'
  | 'waterMm'
  | 'durationMin'
  | 'volumeM3'
  | 'daily'
  | 'fractionWetted'
  | 'daysToStress'
> &
  Partial<Pick<ReadAdvice, 'tension'>>;

/** What the sentence of a reason may need beside its facts. */
export interface ReasonContext {
  readonly now: number;
  readonly zone: string;
  /** The probe or parcel that is advised. */
  readonly target: Text;
  readonly advice: AdvisedAmounts;
  readonly request: AdviceRequest;
  /** Rain of the last days that reaches the roots. */
  readonly fallenMm: number;
  /** The other probes on the valve that differ. */
  readonly differing: readonly Text[];
}

export interface ProbeContext extends ReasonContext {
  readonly advice: ReadAdvice;
}
