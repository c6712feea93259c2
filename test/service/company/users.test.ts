import { describe, expect } from 'vitest';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { it } from '../../farm.ts';

describe('the list of users', () => {
  it('has the members by id, with ids as text', async ({ farm }) => {
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
});
