import { WATERING_SOURCES } from '../irrigation/watering.ts';
import { instant, integer, json, oneOf, sequence, text } from './column.ts';
import { table } from './table.ts';

export const changeTables = {
  idempotency: table(
    {
      caller: text,
      operation: text,
      key: text,
      fingerprint: text,
      body: json,
      /** Array. */
      advisories: json,
      created_at: instant,
    },
    {
      key: ['caller', 'operation', 'key'],
      isCounted: false,
      isErased: true,
      keepsCompany: false,
      changes: null,
    },
  ),
  /** The log of the writes, with the rows that each changed. */
  changes: table(
    {
      id: sequence,
      at: instant,
      caller: text,
      user_id: integer.orNull,
      channel: oneOf(WATERING_SOURCES),
      operation: text,
      /** The scope that a caller needs to undo the change. */
      scope: text,
      /** The change that this one undoes. */
      undoes: integer.orNull,
      /** The changed rows as text (store/changes/changed-rows-text.ts); null for readings. */
      changed_rows: text.orNull,
    },
    { isAppendOnly: true, isErased: true, keepsCompany: false, changes: null },
  ),
  /** Further rows of a change that took several transactions, of each of them. */
  change_parts: table(
    { change_id: integer, part: integer, row_count: integer, changed_rows: text },
    {
      key: ['change_id', 'part'],
      isStandalone: true,
      isAppendOnly: true,
      isErased: true,
      keepsCompany: false,
      changes: null,
    },
  ),
  /** Changes whose parts are stored, and not all written yet. */
  pending_parts: table(
    { change_id: integer, after_part: integer },
    { key: ['change_id'], isStandalone: true, keepsCompany: false, changes: null },
  ),
  /** Undos that have not taken back all parts of a change yet. */
  pending_undos: table(
    { change_id: integer, undoes: integer, after_part: integer },
    { key: ['change_id'], isStandalone: true, keepsCompany: false, changes: null },
  ),
  /** How many rows the company has added on a day (UTC, in days since 1970). */
  daily_rows: table(
    { day: integer, row_count: integer },
    { key: ['day'], isStandalone: true, isCounted: false, keepsCompany: false, changes: null },
  ),
  /** How many transactions have changed rows of the company; see store/scope/counted-changes.ts. */
  change_counts: table(
    {
      count: integer,
      /** New with each change of rows that describe probes; null until the next change of any. */
      probes_version: text.orNull,
    },
    { key: [], isCounted: false, isCopied: false, keepsCompany: false, changes: null },
  ),
};
