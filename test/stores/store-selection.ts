/**
 * Tests that speak of the file which a store is, and why: whatever the others run on, these run on SQLite, each in a process
 * of its own. Where files share processes, they stay out of a run on PostgreSQL.
 */
export const SQLITE_ONLY_TESTS: Readonly<Record<string, string>> = {
  'acceptance/demo.test.ts': 'the demo farm is a file',
  'acceptance/demo-farm.test.ts': 'the demo farm is a file',
  'acceptance/doctor.test.ts': 'looks at files: their folders, their damage, the log beside them',
  'acceptance/durability.test.ts': 'kills processes that write to a file, and damages it',
  'acceptance/mail-killed.test.ts': 'kills senders within a write to a file',
  'acceptance/settings.test.ts': 'tells which file an option names',
  'acceptance/strange-store.test.ts': 'finds files that are no store, damaged, locked, full or out of reach',
};

/** Whether tests of this process were to run on PostgreSQL, where there is none. */
export const postgresAvailability = { isKnown: false };
