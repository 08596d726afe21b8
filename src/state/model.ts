import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import type {Context, Deployment, DeploymentChoice, NetworkSettings} from '../domain/context.ts';
import type {CodeTerms} from '../domain/credentials.ts';
import type {Verdict} from '../domain/finding.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import type {OwnCommand} from '../domain/own-command.ts';
import type {Secret} from '../domain/secret.ts';
import type {SaidRequest, SignInLevel} from '../domain/token-request.ts';
import type {RunTokens, ServerTokens, Token, TokenSet} from '../domain/tokens.ts';
import type {ToolCost, ToolPreset} from '../domain/tool-sets.ts';
import type {Whose} from '../errors/error-row.ts';
import type {About, ErrorCode} from '../errors/errors.ts';
import type {SuggestedCommand} from '../errors/remedy.ts';
import type {FoundAssistant} from '../flows/assistants/find-assistants.ts';
import type {Plan} from '../flows/assistants/plan-files.ts';
import type {VerifiedServer} from '../flows/assistants/verify-entries.ts';
import type {Written} from '../flows/assistants/write-files.ts';
import type {CliClient} from '../flows/deployment/cli-client.ts';
import type {Untrusted} from '../flows/deployment/untrusted.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {FoundOwnCli, PlannedCli} from '../flows/own-cli/own-cli-file.ts';
import type {AccountRights} from '../flows/platform-tools/account-access.ts';
import type {ConnectionReport} from '../flows/platform-tools/check-connection.ts';
import type {Slowest} from '../flows/platform-tools/saved-connection.ts';
import type {CreatedClient} from '../flows/sign-in/create-client.ts';
import type {InspectedSignIn, OtherContext} from '../flows/sign-in/resume-sign-in.ts';
import type {OwnToken} from '../flows/sign-in/server-token.ts';
import type {GivenAddresses} from '../platform/addresses.ts';
import type {CompanyFile} from '../platform/company-file.ts';
import type {Layout, Platform} from '../platform/platform.ts';
import type {BrowserObstacle} from '../ports/ports.ts';
import type {NetworkAnswers} from './network-answers.ts';
import type {Agreed, AssistantSelection} from './selection.ts';
import type {StepId} from './step-id.ts';

export type {StepId} from './step-id.ts';

/** The ways to sign in that the wizard offers. */
export type SignIn = 'browser' | 'create-mcp-client' | 'mcp-client' | 'service-account';

/** The settings that stay the same for a whole run. Flags and the place where the program was started decide them. */
export type Settings = Agreed & {
  /** The assumed kind of platform, until the servers' answers show which it is. */
  readonly platform: Platform;
  /** The kinds of platform that the run may meet. Absent: only `platform`. */
  readonly kinds?: readonly Platform[];
  /**
   * The version of this program. A company file says which versions it is for. If this is absent, no file is looked
   * for.
   */
  readonly version?: string;
  /** The company file that the person named. */
  readonly companyFile?: CompanyFile;
  readonly place: Place;
  /** Every assistant that this program knows. */
  readonly assistants: readonly Assistant[];
  /** How assistants start this program. */
  readonly own: OwnCommand;
  /** The MCP servers for which entries are written. Absent: both. */
  readonly servers?: readonly McpServer[];
  /** The initial values of the choice of assistants, unless a flag makes that choice. */
  readonly connect?: Partial<Omit<AssistantSelection, 'assistants'>>;
  /** True if the person asked for `mcp.json`, in the shape that the platform documents. */
  readonly isDocumentedShape?: true;
  /** The ID of the client for assistants that sign in by themselves, as the person entered it. */
  readonly oauthClient?: string;
  readonly layout: Layout | 'auto';
  /** The command that signs in to the platform that flags have named, for remedies. */
  readonly signInCommand?: SuggestedCommand;
  /** The name under which the context is saved. Absent: it comes from the base domain. */
  readonly contextName?: string;
  /** The redirect URI, if it is not the platform's own. */
  readonly redirectUri?: string;
  /** The person's own settings for token requests, such as scopes or an audience. */
  readonly asks?: SaidRequest;
  /** True if an identity provider that does not list PKCE is used all the same. */
  readonly assumesPkce?: true;
  /** The network settings from flags, the saved context or the environment. */
  readonly network?: NetworkSettings;
  /** False if no browser may be opened. */
  readonly openBrowser: boolean;
  /** True if the person wants an address to open themselves (`--no-browser`). */
  readonly wantsAddress?: true;
  readonly code?: CodeTerms;
  /** True if nobody would see an address that the program prints. */
  readonly isUnseen?: true;
  /** Why no browser can be opened. */
  readonly obstacle?: BrowserObstacle;
  /** The ID for an MCP client of this person on this machine. */
  readonly ownClientId?: string;
  /** True in the state of the assistants' sign-in, which `accountState` makes. */
  readonly isAccount?: true;
  /** True if the run is only about the sign-in and the entries that hold it. The sign-in is saved at once. */
  readonly login?: boolean;
  /** The saved contexts. */
  readonly contexts?: readonly Context[];
  /** The name of the current context. */
  readonly currentContext?: string;
  /** The answers of a run that was left before its end. */
  readonly unfinished?: Unfinished;
  /** The saved context that this run is about, unless the person starts over. */
  readonly saved?: Context;
  /** The answers that sign in to the saved context in the same way as before. */
  readonly again?: Answers;
  /** The answers that come with a way to sign in: from flags, the environment or the demonstration. */
  readonly presets: {readonly [S in SignIn]?: Partial<Answers>};
  /** A client secret that was given before it is known which kind of client it belongs to. */
  readonly clientSecret?: Secret;
  /** Where the client secret came from, in words, if the person did not type it. */
  readonly secretFrom?: string;
  /**
   * How the saved context signed in, and the secret of its client, if any. Both apply only to the identity provider
   * `issuer`.
   */
  readonly lastSignIn?: {
    readonly issuer: string;
    readonly way: SignIn;
    readonly preset?: Partial<Answers>;
    /** The saved secret, whatever flags or the environment say. */
    readonly savedSecret?: Secret;
    /** True if the identity provider has refused the client the last time. */
    readonly isRefused?: true;
  };
  /** The way to sign in that is chosen unless the person says otherwise. */
  readonly suggested?: SignIn;
  /**
   * Set in the demonstration, which uses a sandbox: the directory that holds the demonstration's own home and project.
   */
  readonly demo?: {
    readonly directory: string;
    /** The release of the platform that the sandbox plays. */
    readonly release?: string;
    /** True if the directory stays. Otherwise it is removed at the end. */
    readonly isKept?: true;
    readonly account?: Readonly<Record<'username' | 'password', string>>;
  };
};

/** The person's answers, by flag or by key. */
export type Answers = NetworkAnswers &
  Agreed & {
    /** Whether the person continues an unfinished run or begins a new one. */
    readonly begun?: 'go-on' | 'anew';
    readonly baseDomain?: string | undefined;
    readonly addresses?: GivenAddresses;
    /** The person's choice whether to use the company file that was found. */
    readonly company?: 'use' | 'without';
    readonly deploymentAccepted?: true;
    /** The choice about a saved context. `sign-in` and `renew` make known changes only, so these are not reviewed. */
    readonly resume?: 'sign-in' | 'renew' | 'connect' | 'anew';
    /** True if another run has removed the saved context, so that this one sets it up as if it had never been saved. */
    readonly isContextGone?: true;
    /** Whether the assistants of the saved deployment may only look from now on. */
    readonly onlyLook?: boolean;
    /** True if the person chose to sign in although the saved sign-in was still usable. It is not renewed first. */
    readonly signInAnew?: true;
    readonly signIn?: SignIn;
    /**
     * How the identity provider's answer comes back: by itself, pasted by hand, or through a code on another machine.
     */
    readonly signInBy?: 'browser' | 'paste' | 'device';
    /** True if an identity provider that does not list PKCE is used all the same. */
    readonly assumesPkce?: true;
    readonly clientId?: string;
    /**
     * The way to sign in for which `clientId` was given, if a way was chosen by then. Other ways do not use this
     * client.
     */
    readonly clientFor?: SignIn;
    readonly clientSecret?: Secret;
    readonly clientEntered?: boolean;
    readonly adminUsername?: string;
    readonly applicationId?: string;
    readonly adminPassword?: Secret;
    readonly adminEntered?: boolean;
    readonly existingClient?: 'refuse' | 'reset-secret';
    /** The choice about an account without a role: wait for one, or go on without it. */
    readonly role?: 'wait' | 'without';
    readonly connect?: AssistantSelection;
    /** The answers about the sign-in of an account for the assistants. */
    readonly account?: Answers;
    /** Whether that account signs in anew, although the deployment has one: its sign-in has ended. */
    readonly accountAnew?: boolean;
    /** Whether the role of that account is looked at anew, although nothing else about it changes. */
    readonly accountAccessAnew?: boolean;
    /** The choice about that account if it lacks a role: grant it, wait for it, or go on without it. */
    readonly accountRole?: 'grant' | 'kubectl' | 'wait' | 'without';
    /** Whether the platform's own CLI is signed in too. */
    readonly ownCli?: boolean;
    readonly contextName?: string;
    /** The scopes to request instead of the platform's. */
    readonly scopes?: readonly string[];
    /** How the person has to sign in, as a server demands it. */
    readonly level?: SignInLevel;
    readonly changesAccepted?: true;
  };

/**
 * The saved part of a run that was left. `hadSecret`: the person typed a secret, which is not saved, and has to type
 * it again. `savedClients`: the MCP clients whose secrets are saved. `terms`: the settings from flags that no question
 * asks for.
 */
export type Unfinished = Answers & {
  readonly hadSecret?: true;
  readonly savedClients?: readonly string[];
  readonly terms?: Terms;
  /** What was ticked and set for assistants, if the question was not answered yet. */
  readonly chosen?: AssistantSelection;
};

/** The settings from flags for the sign-in of people. */
export type Terms = Pick<Settings, 'redirectUri' | 'asks' | 'assumesPkce'>;

/**
 * How a saved deployment answers. `slow`: the slowest server and its milliseconds, if it is slow. `failure`: why a call
 * failed.
 */
export type ConnectionState =
  | {readonly state: 'connected'; readonly slow?: Slowest}
  | {readonly state: 'failed'; readonly failure: Failure};

/** The tokens that the entries of an account of the assistants hold, and when the first of them expires. */
export type EntryTokens = RunTokens & Pick<TokenSet, 'expiresAt'>;

/** The facts that the steps have learned. */
export type Facts = {
  readonly inspectedSignIn?: InspectedSignIn;
  /** How the saved deployment answered when the home screen asked it last. */
  readonly connection?: ConnectionState;
  /** The assistants, by name, whose files no longer hold the entries of the saved deployment. */
  readonly withoutEntries?: readonly string[];
  /** The assistants, by name, whose files cannot be read. */
  readonly withUnreadableFile?: readonly string[];
  /** Whether the assistants may only look, if the person has changed that in this run. */
  readonly onlyLook?: boolean;
  /** True if the assistants have an account of their own that is signed out. */
  readonly accountSignedOut?: boolean;
  /** True if that account may not do what it is for. */
  readonly isAccountUnfit?: boolean;
  /** The assistants whose entries hold no valid token: it has expired, or a sign-out removed it. */
  readonly withoutToken?: readonly string[];
  /** The other saved deployments. */
  readonly otherContexts?: readonly OtherContext[];
  /** The certificate authority that was read from the cluster. */
  readonly clusterAuthority?: {readonly pem: string};
  /** The company file of a base domain, which is given as the person typed it. `file` is absent if there is none. */
  readonly companyFile?: {readonly baseDomain: string; readonly file?: CompanyFile};
  readonly deployment?: Deployment;
  /** The platforms that were found, if there are several and the person named none. */
  readonly deploymentChoices?: readonly DeploymentChoice[];
  /** Whether an MCP client with this ID is saved from an earlier run. */
  readonly keptClient?: {readonly clientId: string; readonly isKept: boolean};
  readonly client?: CreatedClient;
  readonly cliClient?: CliClient;
  readonly token?: Token;
  /** The access tokens that are for one server only. */
  readonly serverTokens?: ServerTokens;
  /** The tokens that entries hold, if the assistants have an account of their own. */
  readonly entryTokens?: EntryTokens;
  /** The resources of the servers that want tokens of their own, as the check found out. */
  readonly ownResources?: {readonly [S in McpServer]?: string};
  /** The results of requesting these tokens. */
  readonly ownTokens?: {readonly [S in McpServer]?: OwnToken};
  readonly signInSaved?: true;
  /** What the sign-in of an account for the assistants has brought. */
  readonly account?: Partial<Facts>;
  /** What that account may do. */
  readonly accountAccess?: AccountRights;
  readonly check?: ConnectionReport;
  readonly found?: readonly FoundAssistant[];
  /** The cost of the control plane’s tools in each preset; undefined for a preset whose cost cannot be found out. */
  readonly toolCosts?: {readonly [P in ToolPreset]?: ToolCost | undefined};
  /** The client for assistants that sign in by themselves. `refused`: why some cannot use it, by assistant ID. */
  readonly oauthClient?: {readonly clientId: string; readonly refused: Readonly<Record<string, string>>};
  readonly ownCli?: FoundOwnCli;
  /** The files with entries to renew that cannot be edited, each with the problem, a sentence. They are left alone. */
  readonly unreadable?: readonly {readonly path: string; readonly problem: string}[];
  readonly plan?: Plan;
  readonly plannedCli?: PlannedCli;
  readonly written?: Written;
  /** The files that this run has written so far, also before an interruption, and that `undo` can restore. */
  readonly undoable?: readonly string[];
  readonly verified?: readonly VerifiedServer[];
  /** The verdict of the diagnosis that the person looked at last. */
  readonly diagnosed?: Verdict;
};

/** A sign-in from which the person went back, with everything that is needed to continue it after all. */
export type SignInLeft = {
  /** The issuer of the sign-in. */
  readonly issuer: string | undefined;
  readonly answers: Partial<Answers>;
  readonly facts: Pick<Facts, 'token'> & Partial<Facts>;
};

/** A failure as it is shown. `step` is where it happened. */
export type Failure = {
  readonly step: StepId;
  readonly code: ErrorCode;
  /** What is wrong, as a sentence without a full stop. */
  readonly headline: string;
  readonly message: string;
  readonly remedy: string;
  /** The remedy for a person who can answer a question instead, if that is shorter. */
  readonly advice?: string;
  /** The lines at the end of the remedy, such as a command with its input, to be copied as they are. */
  readonly block?: string;
  readonly whose: Whose;
  /** The facts of the error. */
  readonly about?: About;
  /** The signer of the server's certificate, if the failure is that this machine does not trust it. */
  readonly untrusted?: Untrusted;
};

/**
 * What was known when the person answered a failure, so that Esc can restore it. Without `failure`: what was known
 * when the person looked for another platform although one had been found.
 */
export type AnsweredFailure = Pick<WizardState, 'answers' | 'facts' | 'progress' | 'answeredFailure'> & {
  readonly failure?: Failure;
};

export type WizardState = {
  readonly settings: Settings;
  /** The answers from flags and the environment, before the first question. */
  readonly initialAnswers: Answers;
  readonly answers: Answers;
  readonly facts: Facts;
  /** The step that is running, or ran last; `progress` has the events of its flow. */
  readonly progressOf?: StepId;
  readonly progress: readonly FlowEvent[];
  /** The calls made so far, without secrets. */
  readonly calls: readonly CallLine[];
  /** The warnings of the steps that have run. */
  readonly warnings: readonly {readonly step: StepId; readonly message: string}[];
  /** The names of the assistants that a first look around has found; absent until then. */
  readonly seen?: readonly string[];
  /** The last choice of assistants, even while the question is asked again. */
  readonly chosen?: AssistantSelection;
  /** The presets of tools that the person has looked at. */
  readonly looked?: readonly ToolPreset[];
  /** The questions that the person has answered in this run: Esc leads back to these. */
  readonly asked: readonly StepId[];
  /** The sign-in that existed when the person went back to choose a way; the person can keep it. */
  readonly left?: SignInLeft;
  /** The way to sign in that failed before the person went back to choose another. */
  readonly failedWay?: SignIn;
  /** The client secrets that the identity provider has refused in this run. They are not sent again by themselves. */
  readonly refusedSecrets?: readonly Secret[];
  /** The clients that this run created. Setting a new secret for one of them affects no other person. */
  readonly created: readonly string[];
  readonly failure?: Failure;
  /** The failure or the found platform that was answered last, until the answer has led to a result: Esc leads back. */
  readonly answeredFailure?: AnsweredFailure;
  /** The answers that were taken back with `answeredFailure`, as suggestions. */
  readonly takenBack?: Answers;
};

export type CallLine = {
  readonly call: number;
  readonly step: StepId;
  readonly method: string;
  readonly url: string;
  /** Absent while the call is under way. `result` is the status, or why there is none. */
  readonly answer?: {readonly result: string; readonly failed: boolean; readonly ms: number; readonly curl: string};
};

/**
 * Returns the state in which a run begins.
 *
 * @param fromFlags the answers from flags and the environment, which still apply after the person has gone back
 * @param answers the answers with which the run begins; a command may add those of the saved deployment
 */
export const initialState = (settings: Settings, fromFlags: Answers = {}, answers = fromFlags): WizardState => ({
  settings,
  initialAnswers: fromFlags,
  answers,
  facts: {},
  ...{progress: [], calls: [], warnings: [], created: [], asked: []},
});
