import type { AdviceRequest, ProbeAdvice, WateringAdvice } from '../../domain/advice/advice.ts';
import type { Text } from '../../domain/text/text.ts';

/** The facts beside its own that the sentence of a reason may need. */
export interface ReasonContext {
  readonly now: number;
  readonly zone: string;
  /** The probe or parcel that is advised. */
  readonly target: Text;
  readonly advice: WateringAdvice & Pick<ProbeAdvice, 'tension'>;
  readonly request: AdviceRequest;
  /** Rain of the last days that reaches the roots. */
  readonly fallenMm: number;
  /** The other probes on the valve that differ. */
  readonly differing: readonly Text[];
  /** The probe that shows the waterings of this one. */
  readonly exchangedWith: Text | null;
}

export interface ProbeContext extends ReasonContext {
  readonly advice: ProbeAdvice;
}
