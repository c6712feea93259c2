import type { BriefBody, ReviewedWateringBody, UnloggedRiseBody } from '../../schema/advice.ts';

export interface AdviceReasonFacts {
  readonly isKnown: boolean;
  readonly hours: string;
}

export interface NextWateringFacts {
  readonly at: string;
  readonly isUnderWay: boolean;
}

export interface WaterNeedFacts {
  readonly name: string;
  readonly minutes: { readonly text: string; readonly isOverDay: boolean } | null;
  readonly mm: string | null;
  readonly planned: { readonly mm: string | null } | null;
  /** Days until stress, 0 for now, with their text. */
  readonly days: { readonly count: number; readonly text: string };
}

export interface CheckFacts {
  readonly name: string;
  readonly reason: BriefBody['checkFirst'][number]['reason'];
}

export interface FiringAlertFacts {
  readonly name: string;
  readonly value: string | null;
  /** When the value was read, if it is old. */
  readonly oldAt: string | null;
  readonly threshold: string;
  readonly since: string | null;
}

export interface WateringBarFacts {
  readonly at: string;
  readonly mm: string | null;
  readonly isPlanned: boolean;
}

export type ResponseKind = ReviewedWateringBody['response'];

export interface NewestResponse {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly appliedMm: string | null;
}

export interface UnloggedRiseFacts {
  readonly at: string;
  /** mm, over the whole area or the wetted zone; null if unknown. */
  readonly amount: { readonly mm: string; readonly isOverall: boolean } | null;
  readonly likely: UnloggedRiseBody['likely'];
  readonly plannedEventId: number | null;
}
