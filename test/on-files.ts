/** Tests that speak of the file which a store is, and why: whatever the others run on, these run on SQLite. */
export const ON_FILES: Readonly<Record<string, string>> = {
  'demo.test.ts': 'the demo farm is a file',
  'doctor.test.ts': 'looks at files: their folders, their damage, the log beside them',
  'durability.test.ts': 'kills processes that write to a file, and damages it',
  'mail-killed.test.ts': 'kills senders within a write to a file',
  'remote-walk.test.ts': 'the demo farm is a file',
  'settings.test.ts': 'tells which file an option names',
  'strange-store.test.ts': 'finds files that are no store, damaged, locked, full or out of reach',
};
