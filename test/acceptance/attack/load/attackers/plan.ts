import type { UploadForm, ViewerRead } from '../mix.ts';

/** The service, and one credential for each attacker: all that their process needs to know. */
export interface AttackPlan {
  /** Ends in /v1. */
  readonly base: string;
  /** All probes of the attackers' company, which share a parcel. */
  readonly probes: readonly { readonly id: number; readonly name: string }[];
  readonly parcelId: number;
  readonly viewers: {
    readonly keys: readonly string[];
    readonly connectionsPerKey: number;
    readonly reads: readonly ViewerRead[];
  };
  readonly assistantKeys: readonly string[];
  /** One for each stream, so that a session or key may occur several times. */
  readonly pageCookies: readonly string[];
  readonly listenKeys: readonly string[];
  readonly uploads: readonly { readonly key: string; readonly form: UploadForm }[];
  /** Null for no schedule. */
  readonly scheduleKey: string | null;
}

/** How often each outcome occurred: a status with the code of a refusal, or a transport error. */
export type OutcomeCounts = Readonly<Record<string, number>>;

export interface StreamReport {
  readonly opened: number;
  readonly events: number;
  /** Streams that the service ended. */
  readonly ended: number;
  readonly refused: OutcomeCounts;
}

export interface ScheduleReport {
  readonly outcomes: OutcomeCounts;
  readonly createdInMs: number | null;
  readonly undoneInMs: number | null;
  /** Planned waterings that the undo removed. */
  readonly removed: number;
}

export interface AttackReport {
  /** The counts by key and read. */
  readonly viewers: readonly Readonly<Record<string, OutcomeCounts>>[];
  readonly assistants: readonly OutcomeCounts[];
  readonly pageStreams: StreamReport;
  readonly listenStreams: StreamReport;
  readonly uploads: readonly OutcomeCounts[];
  readonly schedule: ScheduleReport | null;
}

export type AttackMessage =
  | { readonly kind: 'schedule done' }
  | { readonly kind: 'report'; readonly report: AttackReport };
