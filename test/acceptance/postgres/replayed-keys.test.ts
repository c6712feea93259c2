import { describeKeysOfWords } from '../changes/replayed-key-stories.ts';

// A remote service reads and writes the store as this one does.
describeKeysOfWords(['the store']);
