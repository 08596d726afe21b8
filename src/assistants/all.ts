import type {Assistant} from './assistant.ts';
import {generic} from './generic.ts';

/** Every assistant that this program can write to. */
export const allAssistants: readonly Assistant[] = [generic];
