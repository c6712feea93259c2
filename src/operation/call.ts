import type { SummaryContext } from '../language/summary-context.ts';
import type { Note } from '../schema/note.ts';
import type { WateringSource } from '../schema/watering.ts';
import type { CompanyRecord, IdentifiedTable } from '../store/company/companies.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';
import type { Steps } from './steps.ts';

export type OnStep = (done: number, total: number) => void;

/** Without a store, because it may run against a remote service. */
export interface ComposedCall extends SummaryContext {
  note(note: Note): void;
  readonly onStep?: OnStep | undefined;
  /** Lets other calls run; throws once this call is cancelled. */
  yieldOrCancel(): Promise<void>;
}

export interface Call extends ComposedCall {
  readonly caller: Caller;
  readonly company: CompanyRecord;
  readonly source: WateringSource;
  readonly db: CompanyDb;
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
  /** Has these steps run once the write is committed, before its answer. A failure of theirs leaves the answer as it is. */
  afterCommit(steps: Steps): void;
}

/** For a write of any size: everything is judged before its first transaction, and each of these is short. */
export interface StagedCall extends CheckContext {
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  /** A transaction before the last one. Its body may run again after a lost connection. */
  write<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
}

/** What the last transaction of a staged write does. */
export type LastStage<Body> = (db: CompanyDb) => Promise<Body>;

export type WriteContext = Pick<Call, 'db' | 'now'>;

export type CheckContext = Pick<SummaryContext, 'now' | 'zone'>;
