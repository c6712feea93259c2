import { instant, integer, json, oneOf, partOf, referenceTo, sequence, text } from './column.ts';
import { table } from './table.ts';

export const accessTables = {
  api_keys: table(
    {
      id: sequence,
      /** SHA-256 of the key in base64url; the key itself is not stored. */
      hash: text.unique,
      /** Shared by a key and those that replace it by rotation. */
      family: text,
      user_id: referenceTo('users').orNull,
      scopes: text,
      channel: oneOf(['api', 'mcp']),
      created_at: instant,
      expires_at: instant.orNull,
      revoked_at: instant.orNull,
      last_used_at: instant.orNull,
    },
    { isCounted: false, isErased: true, changes: null },
  ),
  /**
   * Sessions of members on the page, one per device. Before the sign-in a row stands for a sign-in
   * link.
   */
  sessions: table(
    {
      id: sequence,
      /**
       * SHA-256, in base64url, of the secret in the link or, after the sign-in, of the one in the
       * cookie. Neither secret is stored.
       */
      hash: text.unique,
      user_id: partOf('users'),
      created_at: instant,
      expires_at: instant,
      /** Null for an unused link. */
      signed_in_at: instant.orNull,
      revoked_at: instant.orNull,
      last_used_at: instant.orNull,
      device: text.orNull,
      /** The browser's push subscription; null without the person's consent. */
      push_subscription: json.orNull,
    },
    { isCounted: false, isErased: true, changes: null },
  ),
  /** Members whose name and address were erased. Their rows in `users` stay, as former members. */
  erasures: table(
    {
      user_id: integer,
      erased_at: instant,
      /** When nothing of them was left in the file any more; null until then. */
      cleared_at: instant.orNull,
    },
    {
      key: ['user_id'],
      isStandalone: true,
      isCounted: false,
      keepsCompany: false,
      changes: null,
    },
  ),
};
