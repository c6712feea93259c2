import type { SummaryContext } from '../language/summary-context.ts';
import type { Note } from '../schema/note.ts';
import type { WateringSource } from '../schema/watering.ts';
import type { CompanyRecord, IdentifiedTable } from '../store/company/companies.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

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
}

export type WriteContext = Pick<Call, 'db' | 'now'>;

export type CheckContext = Pick<SummaryContext, 'now' | 'zone'>;
