import type { SummaryContext } from '../language/summary-context.ts';
import type { Note } from '../schema/note.ts';
import type { WateringSource } from '../schema/watering.ts';
import type { CompanyRecord, IdentifiedTable } from '../store/company/companies.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

/** Reports progress in steps. */
export type OnStep = (done: number, total: number) => void;

/** The call that a composed operation runs in: no store, because it may run beside a remote service. */
export interface ComposedCall extends SummaryContext {
  /** Adds a fact that the summary should mention and the body does not carry. */
  note(note: Note): void;
  readonly onStep?: OnStep | undefined;
  /** Lets other calls run during a long computation; throws once this call is cancelled. */
  yieldOrCancel(): Promise<void>;
}

export interface Call extends ComposedCall {
  readonly caller: Caller;
  readonly company: CompanyRecord;
  /** Recorded in rows that say which surface wrote them. */
  readonly source: WateringSource;
  /** The company's own rows, inside the transaction of this call. */
  readonly db: CompanyDb;
  /** Whether any company has a row of that id. */
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
}

/** The company's rows in a write transaction, and now in ms. */
export type WriteContext = Pick<Call, 'db' | 'now'>;

/** What `check` may use before anything is read. */
export type CheckContext = Pick<SummaryContext, 'now' | 'zone'>;
