import type { MissingDoseReason } from '../domain/dose.ts';
import type { BriefBody } from '../schema/brief.ts';

/** A probe that needs water. */
export interface WaterNeedFacts {
  readonly name: string;
  /** Minutes to water it for; else mm; both null where the amount is not known. */
  readonly minutes: { readonly said: string; readonly isOverDay: boolean } | null;
  readonly mm: string | null;
  /** Planned today, which that comes on top of; null where nothing is. */
  readonly planned: { readonly mm: string | null } | null;
  /** Days until stress, 0 for now, with their text. */
  readonly days: { readonly count: number; readonly said: string };
}

/** A probe to be looked at, or asked about, before it is watered. */
export interface CheckFacts {
  readonly name: string;
  readonly reason: BriefBody['checkFirst'][number]['reason'];
}

/** An alert that fires, with its newest value in %. */
export interface FiringAlertFacts {
  readonly name: string;
  readonly value: string | null;
  /** When the value was, where it is old. */
  readonly oldAt: string | null;
  readonly threshold: string;
  readonly since: string | null;
}

/** What is said of a morning. */
export interface BriefPhrases {
  readonly noProbe: string;
  /** Nothing is to be done; `ahead` is part of the sentence. */
  allQuiet(zone: string, plannedAhead: string): string;
  readonly noNeed: string;
  /** Rows of a list, and how many more there are. */
  list(rows: readonly string[], more: number): string;
  needs(list: string): string;
  need(said: WaterNeedFacts): string;
  checkFirst(list: string): string;
  check(said: CheckFacts): string;
  firing(list: string): string;
  alert(said: FiringAlertFacts): string;
  silentGateways(list: string): string;
  silentProbes(list: string): string;
  /** Since when it has been silent; null for ever. */
  gateway(imei: string, modules: number, since: string | null): string;
  probe(name: string, since: string | null): string;
  /** How many waterings wait to be confirmed, the latest at an instant on a probe. */
  toConfirm(count: number, at: string, name: string): string;
  dosesMissing(list: string): string;
  probeMissingDoses(count: number, name: string, lack: MissingDoseReason): string;
  withoutStressPoint(list: string): string;
  readonly nothingPlannedAhead: string;
  /** How many waterings are planned, the first at an instant on a probe. */
  ahead(count: number, at: string, name: string, mm: string | null): string;
}
