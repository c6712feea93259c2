// By two processes at once too.
import './undo.test.ts';
