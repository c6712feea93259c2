// By two processes at once too.
import './pull.test.ts';
