import type { SummaryContext } from '../language/summary-context.ts';
import type { WateringSource } from '../schema/watering.ts';
import type { CompanyRecord, IdentifiedTable } from '../store/company/companies.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

/** How many of the steps of a call are done. */
export type OnStep = (done: number, total: number) => void;

/** The call an operation runs in. */
export interface Call extends SummaryContext {
  readonly caller: Caller;
  readonly company: CompanyRecord;
  /** Recorded in rows that say which surface wrote them. */
  readonly source: WateringSource;
  /** The company's own rows, inside the transaction of this call. */
  readonly db: CompanyDb;
  note(text: string): void;
  /** Tells who waits how far a call has come that looks at many things one by one. */
  readonly onStep?: OnStep | undefined;
  /** Gives what came in meanwhile its turn, in the midst of much reckoning; throws where nobody waits for the answer any longer. */
  yieldOrCancel(): Promise<void>;
  /** Whether a row of that id stands in any company. */
  existsAnywhere(kind: IdentifiedTable, id: number | string): Promise<boolean>;
  /** Runs another operation in this call's place, confined and allowed as this one is. */
  perform(name: string, input: Record<string, unknown>): Promise<unknown>;
}

/** What it takes to keep the books: the company's rows in a write transaction, and now. */
export type WriteContext = Pick<Call, 'db' | 'now'>;

/** What an entry is judged by before anything is read: now, and the company's zone to say times in. */
export type CheckContext = Pick<SummaryContext, 'now' | 'zone'>;
