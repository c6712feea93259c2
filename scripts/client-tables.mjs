// The tables of docs/clients.md, from the results that test/clients recorded.
import { readFile } from 'node:fs/promises';

const FEATURES = ['list', 'call', 'picture', 'resource', 'prompt'];
const ERAS = ['2025-11-25', '2026-07-28'];

const readResults = async (file) =>
  JSON.parse(await readFile(new URL(`../test/clients/${file}`, import.meta.url), 'utf8'));

const cellOf = (feature) => {
  if (feature.failed) return `failed: ${feature.failed}`;
  return feature.absent ? `no: ${feature.absent}` : feature;
};

/** Attempts with the same key share a row. */
function groupAttempts(attempts, keyOf) {
  const groups = new Map();
  for (const attempt of attempts) {
    const key = JSON.stringify(keyOf(attempt));
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }

  const valuesIn = (group, field) =>
    [...new Set(group.map((attempt) => attempt[field]))].sort().join(', ');
  return [...groups.values()].map((group) => ({
    ...group[0],
    over: valuesIn(group, 'transport'),
    modes: valuesIn(group, 'mode'),
    eras: valuesIn(group, 'age'),
  }));
}

const featuresOf = (attempt) => FEATURES.map((feature) => cellOf(attempt[feature]));

export async function clientRows() {
  const { clients } = await readResults('results.json');
  const head = ['client', 'version', 'over', 'set to', 'era spoken', 'opens with', ...FEATURES];
  const rows = Object.values(clients).flatMap(({ title, version, skipped, tries }) => {
    if (skipped) return [[title, '', `skipped: ${skipped}`, ...head.slice(3).map(() => '')]];
    const groups = groupAttempts(tries, (attempt) => [
      attempt.age,
      attempt.opening,
      featuresOf(attempt),
    ]);
    return groups.map((group) => {
      const { over, modes, age, opening } = group;
      return [title, version, over, modes, age, `\`${opening}\``, ...featuresOf(group)];
    });
  });
  return [head, rows];
}

export async function modelRows() {
  const { clients } = await readResults('results.json');
  const head = ['client', 'over', 'eras', 'tools', 'instructions', 'result of a call', 'picture'];
  const rows = Object.values(clients).flatMap(({ title, tries = [] }) => {
    const withModel = tries.filter(({ model }) => model);
    return groupAttempts(withModel, ({ model }) => model).map(({ over, eras, model }) => {
      const { tools, instructions, answer, picture } = model;
      return [title, over, eras, tools, instructions, answer, picture];
    });
  });
  return [head, rows];
}

export async function conformanceRows() {
  const { scenarios } = await readResults('conformance.json');
  const { extensions } = scenarios;
  const names = [...new Set([...ERAS, 'extensions'].flatMap((era) => Object.keys(scenarios[era])))];
  const rows = names.map((name) => {
    const results = extensions[name]
      ? [undefined, extensions[name]]
      : ERAS.map((era) => scenarios[era][name]);
    const whys = [...new Set(results.map((result) => result?.why).filter(Boolean))];
    return [name, ...results.map(verdictOf), whys.join('; ')];
  });
  return [['scenario', ...ERAS, 'why it does not apply'], rows];
}

function verdictOf(result) {
  if (!result) return '';
  const { verdict, passed, untested } = result;
  if (verdict === 'passes in part') return `${passed} checks pass, ${untested} do not apply`;
  return verdict === 'passes' ? `passes, ${passed} ${passed === 1 ? 'check' : 'checks'}` : verdict;
}

export async function mcpjamRows() {
  const { mcpjam } = await readResults('conformance.json');
  const rows = mcpjam.checks.map(({ suite, id, status, reason }) => [
    suite,
    id,
    status,
    reason ?? '',
  ]);
  return [['suite', 'check', 'result', 'why'], rows];
}
