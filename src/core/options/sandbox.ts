/** What sandboxed commands may reach on the network. */
export interface SandboxNetworkConfig {
  allowedDomains?: string[];
  deniedDomains?: string[];
  strictAllowlist?: boolean;
  allowManagedDomainsOnly?: boolean;
  allowUnixSockets?: string[];
  allowAllUnixSockets?: boolean;
  allowLocalBinding?: boolean;
  allowMachLookup?: string[];
  httpProxyPort?: number;
  socksProxyPort?: number;
  tlsTerminate?: { caCertPath?: string; caKeyPath?: string };
}

/** What sandboxed commands may reach on disk. */
export interface SandboxFilesystemConfig {
  allowWrite?: string[];
  denyWrite?: string[];
  denyRead?: string[];
  allowRead?: string[];
  allowManagedReadPathsOnly?: boolean;
  disabled?: boolean;
}

/** How one secret is kept from sandboxed commands. */
export interface SandboxCredentialRule {
  mode: "deny" | "mask";
  extract?: string;
  onExtractNoMatch?: "deny" | "error" | "warn";
  decode?: "jwt";
  maskClaims?: string[];
  injectHosts?: string[];
}

/** Which secrets are kept from sandboxed commands. */
export interface SandboxCredentialsConfig {
  files?: (SandboxCredentialRule & { path: string; maskDuplicates?: boolean })[];
  envVars?: (SandboxCredentialRule & { name: string })[];
  allowPlaintextInject?: boolean;
  awsPairs?: { accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string }[];
  sigv4?: {
    streaming?: "deny" | "passthrough";
    presigned?: "deny" | "passthrough";
    sigv4a?: "deny" | "passthrough";
  };
}

/** Violations that are not reported, by command. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** The sandbox the CLI runs commands in. Other keys pass through. */
export interface SandboxSettings {
  enabled?: boolean;
  /** Start-up fails where no sandbox can be made. True when `enabled` is and nothing else is said. */
  failIfUnavailable?: boolean;
  autoAllowBashIfSandboxed?: boolean;
  allowUnsandboxedCommands?: boolean;
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
  enableWeakerNestedSandbox?: boolean;
  allowNestedUserNamespaces?: boolean;
  enableWeakerNetworkIsolation?: boolean;
  allowAppleEvents?: boolean;
  excludedCommands?: string[];
  ripgrep?: { command: string; args?: string[] };
  bwrapPath?: string;
  socatPath?: string;
  [key: string]: unknown;
}
