type Cleanup = () => unknown;

const testCleanups: Cleanup[] = [];
const fileCleanups: Cleanup[] = [];

export const afterTest = (end: Cleanup): void => void testCleanups.push(end);

export const afterFile = (end: Cleanup): void => void fileCleanups.push(end);

const runCleanups = async (ends: Cleanup[]): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};

export const cleanUpTest = (): Promise<void> => runCleanups(testCleanups);
export const cleanUpFile = (): Promise<void> => runCleanups(fileCleanups);
