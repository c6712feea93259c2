/**
 * Makes the program build every regular expression that it builds at run time: importing a module
 * builds the most, and the calls below those that are built when they are first needed.
 */
import { parseDayOfYear } from '../../../src/language/moisture/day-of-year.ts';
import { parseAmount } from '../../../src/language/words/amounts/amount.ts';
import '../../../src/language/words/depths.ts';
import { parseInstant } from '../../../src/language/words/instant.ts';
import '../../../src/language/words/past-period.ts';
import { readSpokenName } from '../../../src/language/words/spoken-name.ts';
import { parseTimePhrase } from '../../../src/language/words/time-phrase.ts';
import { findResource } from '../../../src/mcp/resources.ts';
import '../../../src/schema/advice/farm-page.ts';
import '../../../src/schema/moisture/calibration.ts';
import { findProfile } from '../../../src/service/ingest/csv/csv-profiles.ts';
import '../../../src/service/ingest/spreadsheet-times.ts';
import '../../../src/store/scope/company-scope-rules.ts';

for (const usGallons of [false, true]) parseAmount('1 mm', 'mm', { usGallons });
parseDayOfYear('never');
parseInstant('tomorrow at half past six', 'UTC', 0);
parseInstant('in half an hour', 'UTC', 0);
// All rules are tried on what none understands.
parseTimePhrase('zzz');
for (const of of ['start', 'first', 'last'] as const)
  parseTimePhrase('zzz', { of, thisYear: 2026 });
readSpokenName('North 1');
findProfile([], undefined);
findResource('x');
