import { plainError } from '../../schema/error.ts';
import { toIso } from '../../schema/wire-format.ts';
import { chooseCompany } from '../../service/company/company.ts';
import {
  type ErasurePlan,
  eraseMembers,
  finishErasures,
  planErasure,
} from '../../service/members/erasure.ts';
import type { Mention } from '../../service/members/mentions.ts';
import { membershipsOf, type PersonReference } from '../../service/members/person.ts';
import { personalLists } from '../../service/members/personal-data.ts';
import type { Erasure } from '../../store/company/erasures.ts';
import type { Store } from '../../store/store.ts';
import { assertSpaceToErase, describeCopies, noteErasures } from '../backups/copies-of-erased.ts';
import { formatTerminalCount, print } from '../process/output.ts';
import { writeOutput } from '../process/output-file.ts';
import { type Settings, storeOption } from '../process/settings.ts';
import { minuteOr, plainText, withKeyStore } from './keys-run.ts';

interface PersonOptions {
  readonly company?: string | undefined;
}

async function referenceOf(
  store: Store,
  text: string,
  { company }: PersonOptions,
): Promise<PersonReference> {
  const companyId = company === undefined ? null : (await chooseCompany(store, company)).id;
  return { text, companyId };
}

export const runExportUser = (
  person: string,
  options: PersonOptions & { readonly out?: string | undefined },
  settings: Settings,
): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const reference = await referenceOf(store, person, options);
    await store.readAll(async (all) => {
      // Found before the file is opened.
      const memberships = await membershipsOf(store, all, reference);
      const text = async function* () {
        yield `{\n  "exportedAt": ${JSON.stringify(toIso(now))},\n  "memberships": [`;
        for (const [index, membership] of memberships.entries()) {
          const { company, user } = membership;
          yield `${index === 0 ? '' : ','}\n    {`;
          yield `\n      "company": ${json(company, 6)},\n      "member": ${json(user, 6)}`;
          for (const [name, rows] of await personalLists(store, all, membership)) {
            yield `,\n      ${JSON.stringify(name)}: [`;
            let isFirst = true;
            for await (const row of rows) {
              yield `${isFirst ? '' : ','}\n        ${json(row, 8)}`;
              isFirst = false;
            }
            yield isFirst ? ']' : '\n      ]';
          }
          yield '\n    }';
        }
        yield '\n  ]\n}\n';
      };

      if (options.out === undefined) for await (const part of text()) print(part);
      else await writeOutput(options.out, text(), { db: settings.db, mode: 0o600 });
    });
    if (options.out !== undefined) print(`${options.out}\n`);
  });

const json = (value: unknown, indentation: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indentation)}`);

interface EraseOptions extends PersonOptions {
  readonly dryRun?: boolean | undefined;
  readonly lastOwner?: boolean | undefined;
}

export const runEraseUser = (
  person: string,
  options: EraseOptions,
  settings: Settings,
): Promise<number> =>
  withKeyStore(settings, async (store) => {
    const { dryRun = false, lastOwner = false } = options;
    const { db } = settings;
    const reference = await referenceOf(store, person, options);
    const ended = dryRun ? [] : await finish(store, db);
    const plans = await plansOf(store, reference).catch((error) => {
      if (ended.length === 0) throw error;
      return [];
    });
    if (ended.length > 0) print(await formatEnded(ended, store, db));
    if (plans.length === 0) return;

    if (dryRun) {
      print(`${plans.map((plan) => formatPlan(plan)).join('\n')}\nNothing was erased.\n`);
      return;
    }

    if (!lastOwner) assertNotLastOwner(plans, person, db);
    await assertSpaceToErase(db);
    await eraseMembers(store, plans, Date.now());
    await finish(store, db);
    const copies = await describeCopies(store, db, Date.now());
    print(`${plans.map((plan) => formatErased(plan)).join('\n')}${copies.join('\n')}\n`);
  });

/** Real time, as that of copies is. */
const finish = (store: Store, db: string): Promise<readonly Erasure[]> =>
  finishErasures(store, Date.now, (erasures) => noteErasures(store, db, erasures));

const plansOf = (store: Store, reference: PersonReference): Promise<ErasurePlan[]> =>
  store.readAll(async (all) => {
    const plans: ErasurePlan[] = [];
    for (const membership of await membershipsOf(store, all, reference))
      plans.push(await planErasure(store, all, membership));
    return plans;
  });

function assertNotLastOwner(plans: readonly ErasurePlan[], person: string, db: string): void {
  const plan = plans.find(({ isLastOwner }) => isLastOwner);
  if (plan === undefined) return;
  const company = plainText(plan.company.name);
  throw plainError({
    code: 'last_owner',
    status: 409,
    message: `This is the last OWNER of ${company}. Without one, calls without a key belong to nobody, so that no annotation or alert can be made with them, and nobody can let others in from an assistant.`,
    hint: `Nothing was erased. Hand over first: write the farm with "acequia export --out farm.json${storeOption(db)}", give another user the role OWNER in it, and run "acequia import farm.json${storeOption(db)}". To erase the person all the same: acequia users erase ${person} --last-owner${storeOption(db)}. Then "acequia call set_company ownerEmail=ADDRESS" adds an OWNER.`,
  });
}

const memberIn = ({ company, user }: Pick<ErasurePlan, 'company' | 'user'>): string =>
  `member #${user.id} (${user.role}) of ${plainText(company.name)}`;

/** Without the name and the address, so that they are in no log of a terminal. */
function formatErased(plan: ErasurePlan): string {
  return [
    `Erased: ${memberIn(plan)}, now "former member", with ${formatAmounts(plan)}.`,
    ...notes(plan),
    '',
  ].join('\n');
}

const formatPlan = (plan: ErasurePlan): string =>
  [
    `Would be erased: ${memberIn(plan)}, with ${formatAmounts(plan)}.`,
    ...(plan.isLastOwner
      ? ['This is the last OWNER of the company: without --last-owner, the command refuses it.']
      : []),
    ...notes(plan),
    '',
  ].join('\n');

const formatAmounts = ({
  sessions,
  keys,
  messages,
  storedAnswers,
  recordedChanges,
}: ErasurePlan): string =>
  [
    formatTerminalCount(sessions, 'session or sign-in link', 'sessions and sign-in links'),
    formatTerminalCount(keys.length, 'key'),
    `${formatTerminalCount(messages.sent, 'sent message')} and ${messages.waiting.toLocaleString('en-US')} not sent`,
    formatTerminalCount(storedAnswers, 'stored answer'),
    `the name in ${formatTerminalCount(recordedChanges, 'recorded change')}`,
  ].join(', ');

function notes({ user, keys, soleAlerts, rows, mentions }: ErasurePlan): string[] {
  const lines: string[] = [];
  if (keys.length > 0)
    lines.push(
      `What used these keys is refused from now on: ${keys.map(({ id, lastUsedAt }) => `#${id} (last used ${minuteOr(lastUsedAt, 'never')})`).join(', ')}.`,
    );
  if (soleAlerts > 0)
    lines.push(
      `${formatTerminalCount(soleAlerts, 'active alert')} had no other recipient, so no mail is sent for ${soleAlerts === 1 ? 'it' : 'them'}: create ${soleAlerts === 1 ? 'it' : 'them'} again as another member.`,
    );
  if (rows.length > 0)
    lines.push(
      `These stay as they are, of a former member (#${user.id}): ${rows.map(({ table, rows: count }) => `${count.toLocaleString('en-US')} in ${table}`).join(', ')}.`,
    );
  if (mentions.length > 0)
    lines.push(
      'Texts of people that may mean the person; they are not changed:',
      ...mentions.map(formatMention),
    );
  return lines;
}

const formatMention = ({ table, key, column, found }: Mention): string =>
  `  ${table} ${plainText(key)}: ${plainText(column)} has the ${found}`;

async function formatEnded(ended: readonly Erasure[], store: Store, db: string): Promise<string> {
  const members = ended.map(({ userId, companyId }) => `#${userId} of company #${companyId}`);
  const copies = await describeCopies(store, db, Date.now());
  return `An erasure that had been interrupted is complete now: member ${members.join(', ')}.\n${copies.join('\n')}\n`;
}
