type End = () => unknown;

/** What the tests of this process have begun and not ended yet. */
const ofTest: End[] = [];
const ofFile: End[] = [];

/** Has something ended or removed after the test that runs, newest first. */
export const afterTest = (end: End): void => void ofTest.push(end);

/** The same after all tests of the file. */
export const afterFile = (end: End): void => void ofFile.push(end);

const all = async (ends: End[]): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};

export const endTest = (): Promise<void> => all(ofTest);
export const endFile = (): Promise<void> => all(ofFile);
