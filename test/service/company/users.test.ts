import { describe, expect } from 'vitest';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { it } from '../../farm.ts';

describe('GET company users', () => {
  it('answers the members with their ids as text, in the order in which they came', async ({ farm }) => {
    const [karim, lea] = await farm.write(async (db) => [
      await insertFarmRow(db, 'users', { email: 'karim@example.org', name: 'Karim', role: 'MANAGER' }),
      await insertFarmRow(db, 'users', { email: 'lea@example.org', name: 'Léa', role: 'VIEWER' }),
    ]);
    const { data, summary } = await farm.tool<{ data: Record<string, string>[] }>('list_users');
    expect(data).toEqual([
      { userId: data[0]!.userId, name: 'Ana', email: 'ana@example.org', role: 'OWNER' },
      { userId: String(karim), name: 'Karim', email: 'karim@example.org', role: 'MANAGER' },
      { userId: String(lea), name: 'Léa', email: 'lea@example.org', role: 'VIEWER' },
    ]);
    expect(summary).toBe('Members: Ana (OWNER), Karim (MANAGER), Léa (VIEWER).');
  });

  it('answers each company its own members', async ({ farm }) => {
    const members = async (company: string) =>
      (await farm.tool<{ data: { userId: string }[] }>('list_users', {}, { company })).data;
    const [ours, theirs] = [await members('Mas Rouge'), await members('Mas Bleu')];
    expect([ours.length, theirs.length]).toEqual([1, 1]);
    expect(ours[0]!.userId).not.toBe(theirs[0]!.userId);
  });

  it('needs the scope company:read', async ({ farm }) => {
    await expect(farm.tool('list_users', {}, { caller: { scopes: ['catalog:read'] } })).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    });
  });

  it('is open to a VIEWER', async ({ farm }) => {
    expect(await farm.tool('list_users', {}, { caller: { role: 'VIEWER' } })).toHaveProperty('data');
  });
});
