type Cleanup = () => unknown;

/** What the tests of this process have begun and not ended yet. */
const testCleanups: Cleanup[] = [];
const fileCleanups: Cleanup[] = [];

/** Has something ended or removed after the test that runs, newest first. */
export const afterTest = (end: Cleanup): void => void testCleanups.push(end);

/** The same after all tests of the file. */
export const afterFile = (end: Cleanup): void => void fileCleanups.push(end);

const runCleanups = async (ends: Cleanup[]): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};

export const cleanUpTest = (): Promise<void> => runCleanups(testCleanups);
export const cleanUpFile = (): Promise<void> => runCleanups(fileCleanups);
