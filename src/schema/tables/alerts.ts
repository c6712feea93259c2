import { alertFields, MAIL_KINDS } from '../alerts/alert.ts';
import { annotationFields } from '../alerts/annotation.ts';
import {
  flag,
  instant,
  integer,
  oneOf,
  partOf,
  partOfText,
  real,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { columnsOf } from './resource-columns.ts';
import { table } from './table.ts';

export const alertTables = {
  annotations: table(
    {
      seq: sequence,
      ...columnsOf(annotationFields),
      id: text.unique,
      module_id: referenceTo('modules'),
      user_id: referenceTo('users'),
      uncalibrated_height: real.orNull.unrecorded,
    },
    {
      describesProbes: true,
      changes: { kind: 'annotation', readScope: 'annotations:read', about: 'module_id' },
    },
  ),
  alerts: table(
    {
      seq: sequence,
      ...columnsOf(alertFields),
      id: text.unique,
      module_id: referenceTo('modules').orNull,
      parcel_id: referenceTo('parcels').orNull,
      created_by: referenceTo('users'),
      uncalibrated_threshold: real.orNull.unrecorded,
    },
    { changes: { kind: 'alert', readScope: 'readings:read', about: 'module_id' } },
  ),
  alert_recipients: table(
    {
      seq: sequence,
      id: text.unique,
      alert_id: partOfText('alerts'),
      user_id: referenceTo('users'),
    },
    { changes: { kind: 'alert_recipient', readScope: 'readings:read', about: 'nothing' } },
  ),
  alert_states: table(
    {
      alert_id: partOfText('alerts'),
      /** Evaluation ignores earlier values; null to begin with the newest one. */
      evaluate_from: instant.orNull,
      evaluated_at: instant.orNull,
      value: real.orNull,
      is_firing: flag,
      since: instant.orNull,
      /** Readings at this instant or later are not evaluated yet. */
      pending_from: instant.orNull,
      /**
       * How often new readings marked the alert for evaluation, and how many of these marks the
       * last evaluation covers.
       */
      pending_marks: integer,
      evaluated_marks: integer,
      notified_firing: flag,
      reminded_on: text.orNull,
      reminded_at: instant.orNull,
      notified_stale: flag,
      is_rule_changed: flag.orDefault(0),
      due_at: instant.orNull,
    },
    { key: ['alert_id'], changes: null },
  ),
  alert_episodes: table(
    {
      seq: sequence,
      alert_id: partOfText('alerts'),
      started_at: instant,
      ended_at: instant.orNull,
      lowest: real,
    },
    { key: ['alert_id', 'started_at'], changes: null },
  ),
  outbox: table(
    {
      seq: sequence,
      id: text.unique,
      /** Null for a message about suspect readings of a probe. */
      alert_id: partOfText('alerts').orNull,
      kind: oneOf(MAIL_KINDS),
      user_id: partOf('users'),
      /** The session whose device gets it as a push message; null for mail. */
      session_id: integer.orNull,
      to_address: text,
      subject: text,
      text,
      html: text,
      created_at: instant,
      state: oneOf(['waiting', 'sent', 'refused']),
      message_id: text.orNull,
      attempts: integer,
      /** Real time, like `sent_at`. */
      next_attempt_at: instant,
      /** The reply of the mail server, or the failure. */
      last_response: text.orNull,
      sent_at: instant.orNull,
    },
    { isCounted: false, isErased: true, changes: null },
  ),
  /** The messages to a person, or to a device, of the last hour. */
  recent_deliveries: table(
    {
      user_id: integer,
      /** 0 for mail. */
      session_id: integer,
      message_id: text,
      composed_at: instant,
    },
    {
      key: ['user_id', 'session_id', 'message_id'],
      isStandalone: true,
      isCounted: false,
      isErased: true,
      keepsCompany: false,
      changes: null,
    },
  ),
  /** The reasons for checking a probe that its advice had when it was examined last. */
  probe_doubts: table(
    {
      module_id: integer,
      reason: text,
      since: instant,
      /** The instant since which the advice no longer has the reason; null while it has. */
      gone_since: instant.orNull,
      /** When a message about it was written; null while none was. */
      messaged_at: instant.orNull,
    },
    {
      key: ['module_id', 'reason'],
      isStandalone: true,
      isCounted: false,
      keepsCompany: false,
      changes: null,
    },
  ),
  /** The last examination of the advice for all probes: one row for each company. */
  doubt_checks: table(
    { checked_at: instant, change_count: integer },
    {
      key: [],
      isStandalone: true,
      isCounted: false,
      keepsCompany: false,
      changes: null,
    },
  ),
};
