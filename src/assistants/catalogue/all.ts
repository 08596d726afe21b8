import type {Assistant} from '../assistant.ts';
import {amp} from './amp.ts';
import {antigravity} from './antigravity.ts';
import {auggie} from './auggie.ts';
import {claudeCode} from './claude-code.ts';
import {claudeDesktop, claudeDesktopMsix} from './claude-desktop.ts';
import {cline} from './cline.ts';
import {codexCli} from './codex-cli.ts';
import {continueDev} from './continue.ts';
import {copilotCli} from './copilot-cli.ts';
import {copilotJetbrains} from './copilot-jetbrains.ts';
import {crush} from './crush.ts';
import {cursor} from './cursor.ts';
import {devin} from './devin.ts';
import {factoryDroid} from './factory-droid.ts';
import {geminiCli} from './gemini-cli.ts';
import {documented, generic} from './generic.ts';
import {goose} from './goose.ts';
import {grokBuild} from './grok-build.ts';
import {junie} from './junie.ts';
import {kiloCode} from './kilo-code.ts';
import {kimiCode} from './kimi-code.ts';
import {kiro} from './kiro.ts';
import {lmStudio} from './lm-studio.ts';
import {mistralVibe} from './mistral-vibe.ts';
import {openCode} from './opencode.ts';
import {qoder} from './qoder.ts';
import {qwenCode} from './qwen-code.ts';
import {rooCode} from './roo-code.ts';
import {visualStudio} from './visual-studio.ts';
import {codeServer, vscode, vscodeInsiders, vscodeRemote, vscodium} from './vscode.ts';
import {warp} from './warp.ts';
import {windowsSide} from './windows-side.ts';
import {windsurf} from './windsurf.ts';
import {xcodeClaude, xcodeCodex} from './xcode.ts';
import {zed} from './zed.ts';

/** Every assistant that this program can write to, the most popular first. */
export const allAssistants: readonly Assistant[] = [
  claudeCode,
  claudeDesktop,
  claudeDesktopMsix,
  cursor,
  vscode,
  codexCli,
  copilotCli,
  openCode,
  geminiCli,
  devin,
  visualStudio,
  zed,
  cline,
  copilotJetbrains,
  goose,
  amp,
  kiro,
  qwenCode,
  junie,
  antigravity,
  kiloCode,
  factoryDroid,
  vscodeInsiders,
  vscodium,
  vscodeRemote,
  codeServer,
  auggie,
  crush,
  grokBuild,
  warp,
  kimiCode,
  qoder,
  mistralVibe,
  xcodeClaude,
  xcodeCodex,
  lmStudio,
  // Discontinued assistants come last.
  windsurf,
  continueDev,
  rooCode,
  ...windowsSide,
  generic,
  documented,
];
