import { expect, it } from 'vitest';
import { ResourceStack } from '../../../src/cli/serve/resource-stack.ts';

const resource = (name: string, closed: string[]) => ({
  async close() {
    // A later turn, so that a stack that does not wait closes the others first.
    await Promise.resolve();
    closed.push(name);
  },
});

it('closes each resource once the ones that were opened after it are closed', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  const store = resource('store', closed);
  expect(resources.add(store)).toBe(store);
  resources.defer(() => closed.push('log'));
  resources.add(resource('jobs', closed));

  await resources.close();

  expect(closed).toEqual(['jobs', 'log', 'store']);
});

it('closes the rest when one fails, and fails then', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  resources.add(resource('store', closed));
  resources.defer(() => Promise.reject(new Error('no collector')));
  resources.add(resource('jobs', closed));

  await expect(resources.close()).rejects.toThrow('no collector');

  expect(closed).toEqual(['jobs', 'store']);
});
