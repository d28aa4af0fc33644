// The program's other commands, its arguments, its help.
#include <algorithm>
#include <sstream>
#include <string>

#include "tb/check/plan.h"
#include "tests/cli/inputs.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

TEST(Commands, ArgumentsThatAreWrongAreOneSentence) {
  Proves({"cli.arguments"});
  const auto sentence = [](const std::string& arguments, int status = 2) {
    const Output output = Tessera(arguments);
    EXPECT_EQ(output.status, status) << arguments;
    EXPECT_EQ(output.out, "") << arguments;
    return output.errors;
  };
  const std::string missing = sentence("");  // products add commands
  EXPECT_TRUE(missing.starts_with(
      "tessera: the command is missing: legal are run, check, show, config, bench, soak, "))
      << missing;
  EXPECT_NE(missing.find("legal are run, check, show, config, bench, soak, gen, completion"),
            std::string::npos)
      << missing;
  EXPECT_TRUE(missing.ends_with(" (see tessera --help)\n")) << missing;
  EXPECT_EQ(sentence("config"),
            "tessera config: the command is missing: legal are list, show (see tessera config "
            "--help)\n");
  EXPECT_TRUE(sentence("rnu").ends_with("; did you mean run?\n"));
  EXPECT_EQ(sentence("run"),
            "tessera run: JOB is missing: legal is the job file (docs/run.md) (see tessera run "
            "--help)\n");
  EXPECT_EQ(
      sentence("run /none.json"),
      "/none.json: cannot be read: No such file or directory: legal is the name of a job file\n");
  EXPECT_EQ(sentence("frob").substr(0, 47), "tessera: the command is \"frob\": legal are run, ");
  EXPECT_EQ(sentence("config frob"),
            "tessera config: the command is \"frob\": legal are list, show\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --seed x"),
            "tessera run: --seed is \"x\": legal is a number (see tessera run --help)\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --wave /etc/hostname/x.fst", 3),
            "/etc/hostname/x.fst: cannot be written: Not a directory\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --seed -1"),
            "tessera run: --seed is \"-1\": legal is 0 or more (see tessera run --help)\n");
  EXPECT_EQ(sentence("soak --cases -1"),
            "tessera soak: --cases is \"-1\": legal is 0 or more (see tessera soak --help)\n");
  EXPECT_EQ(
      sentence("soak --seconds x"),
      "tessera soak: --seconds is \"x\": legal is 0 to 1000000000 (see tessera soak --help)\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --seed 18446744073709551616"),
            "tessera run: --seed is \"18446744073709551616\": legal is a number of at most 64 bits "
            "(see tessera run --help)\n");
  EXPECT_EQ(
      sentence("show --base 0 --count -4"),
      "tessera show: --count is \"-4\": legal is 0 to 4294967295 (see tessera show --help)\n");
  EXPECT_EQ(sentence("show --base 0 --count 4 --start 2147483648"),
            "tessera show: --start is \"2147483648\": legal is -2147483648 to 2147483647 (see "
            "tessera show --help)\n");
  EXPECT_EQ(sentence("show --base 0 --count 4 --stride -9223372036854775809"),
            "tessera show: --stride is \"-9223372036854775809\": legal is a number of at most 64 "
            "bits (see tessera show --help)\n");
  EXPECT_EQ(sentence("show --base 0 --count 4 --elem 3"),
            "--elem is 3: legal are the powers of two from 1 to the bus width, 8 bytes "
            "(configuration typical)\n");
  EXPECT_EQ(sentence("completion csh"),
            "tessera completion: SHELL is \"csh\": legal are bash,zsh,fish (see tessera completion "
            "--help)\n");
  EXPECT_EQ(sentence("show --base 0 --count 4 --latency 0"),
            "tessera show: --latency is \"0\": legal is 1 to 1000000 (see tessera show --help)\n");
  EXPECT_EQ(sentence("run a b"),
            "tessera run: \"b\" is not expected: legal is one JOB (see tessera run --help)\n");
  EXPECT_EQ(
      sentence("config list b"),
      "tessera config list: \"b\" is not expected: legal are options alone (see tessera config "
      "list --help)\n");
  EXPECT_EQ(
      sentence("run a --frob 3"),
      "tessera run: --frob is unknown: legal are --help, --help-all, --config, --dma, --seed, "
      "--out, --wave, --report, --timeline, --quiet, --schema (see tessera run --help)\n");
  EXPECT_TRUE(sentence("run a --confg=x")
                  .ends_with("--schema; did you mean --config? (see tessera run --help)\n"));
  EXPECT_TRUE(sentence("show --base 0 --cuont 4")
                  .ends_with("; did you mean --count? (see tessera show --help)\n"));
  EXPECT_EQ(
      sentence("show " + kJobs + "/copy.json --base 3"),
      "tessera show: JOB is given with --base: legal is one of them (see tessera show --help)\n");
  for (const auto& [arguments, absent] :
       {std::pair("", "SPEC and -o are"), {" a.json", "-o is"}, {" -o a", "SPEC is"}}) {
    EXPECT_EQ(sentence("gen" + std::string(arguments)),
              "tessera gen: " + std::string(absent) +
                  " missing: legal are SPEC and -o, --check, --list or --schema (see tessera gen "
                  "--help)\n");
  }
  for (const char* both : {"--list --schema", "--schema --check a", "--list --check a"}) {
    const std::string told = sentence("gen " + std::string(both));
    EXPECT_NE(told.find(": legal is one of them (see tessera gen --help)\n"), std::string::npos)
        << told;
  }
  EXPECT_LT(sentence("run a " + std::string(100000, 'b')).size(), 2000u);
  EXPECT_EQ(sentence("soak --shard 3/2 --cases 1"),
            "--shard is '3/2': legal is i/n with i from 0 to n-1\n");
  EXPECT_EQ(
      sentence("soak --merge /none"),
      "--merge /none: cannot be read: No such file or directory: legal is a file of --save\n");
  EXPECT_EQ(sentence("soak --merge /dev/null"),
            "--merge /dev/null: is a device: legal is a file of --save\n");
  const TempFolder folder;
  WriteFile(folder / "list", "[1, 2");
  EXPECT_EQ(sentence("soak --merge " + (folder / "list")),
            "--merge " + (folder / "list") + ": is no JSON: legal is a file of --save\n");
  WriteFile(folder / "list", "[1, 2]");
  EXPECT_EQ(
      sentence("soak --merge " + (folder / "list")),
      "--merge " + (folder / "list") + ": is no result of a soak: legal is a file of --save\n");
  EXPECT_EQ(sentence("soak --replay " + (folder / "list")).substr(0, 9), "--replay ");
  EXPECT_EQ(sentence("soak --replay " + (folder / "list")).find("json."), std::string::npos);
  EXPECT_EQ(
      sentence("soak --replay /none"),
      "--replay /none: cannot be read: No such file or directory: legal is a case that a soak "
      "left\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --report r.json --out /etc/hostname", 3),
            "/etc/hostname/r.json: cannot be written: Not a directory\n");
  // Nobody waits for minutes to hear that a file cannot be written.
  EXPECT_EQ(sentence("soak --cases 1000000 --save /etc/hostname/x", 3),
            "/etc/hostname/x: cannot be written: Not a directory\n");
  EXPECT_EQ(sentence("bench --csv /etc/hostname/x", 3),
            "/etc/hostname/x: cannot be written: Not a directory\n");
  EXPECT_EQ(sentence("bench --update --baseline /etc/hostname/x", 3),
            "/etc/hostname/x: cannot be written: Not a directory\n");
  EXPECT_EQ(sentence("bench --check --baseline /none/x").substr(0, 9), "/none/x: ");
  EXPECT_EQ(sentence("bench --filter frob"),
            "--filter is \"frob\": legal is a part of a name that --list tells\n");
  EXPECT_EQ(sentence("bench --speed-seconds -1"),
            "tessera bench: --speed-seconds is \"-1\": legal is 0 to 1000000 (see tessera bench "
            "--help)\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --report /etc/hostname/r.json", 3),
            "/etc/hostname/r.json: cannot be written: Not a directory\n");
}

TEST(Commands, OptionsOfTheBenchAreRefusedInSentences) {
  Proves({"cli.arguments"});
  const auto sentence = [](const std::string& arguments) {
    const Output output = Tessera("bench " + arguments);
    EXPECT_EQ(output.status, 2) << arguments;
    EXPECT_EQ(output.out, "") << arguments;
    return output.errors;
  };
  const std::string help = " (see tessera bench --help)\n";
  EXPECT_EQ(sentence("--speed --speed-seconds nan"),
            "tessera bench: --speed-seconds is \"nan\": legal is a finite number" + help);
  EXPECT_EQ(sentence("--speed --speed-seconds x"),
            "tessera bench: --speed-seconds is \"x\": legal is 0 to 1000000" + help);
  EXPECT_EQ(sentence("--csv ''"),
            "tessera bench: --csv is \"\": legal is what is not empty" + help);
  EXPECT_EQ(sentence("--filter ''"),
            "tessera bench: --filter is \"\": legal is what is not empty" + help);
  EXPECT_EQ(sentence("--wave w.fst --wave-from -1"),
            "tessera bench: --wave-from is \"-1\": legal is 0 or more" + help);
  EXPECT_EQ(sentence("--wave w.fst --wave-to 18446744073709551616"),
            "tessera bench: --wave-to is \"18446744073709551616\": legal is a number of at most 64 "
            "bits" +
                help);
  EXPECT_EQ(sentence("--csv"), "tessera bench: --csv has no value: legal is with one" + help);
  EXPECT_TRUE(
      sentence("--qiuck").starts_with("tessera bench: --qiuck is unknown: legal are --help, "));
  EXPECT_TRUE(sentence("--qiuck").ends_with("; did you mean --quick?" + help));
  EXPECT_EQ(sentence("frob"),
            "tessera bench: \"frob\" is not expected: legal are options alone" + help);
  EXPECT_EQ(sentence("--list --check"),
            "tessera bench: --list is given with --check: legal is one of them" + help);
  const Output helped = Tessera("bench --help");
  EXPECT_EQ(helped.status, 0);
  EXPECT_NE(helped.out.find("Usage: tessera bench"), std::string::npos) << helped.out;
}

// The baseline is found from anywhere; no help tells where the program was built.
TEST(Commands, BenchFindsItsBaselineAndTellsNoPathOfTheBuild) {
  Proves({"cli.help"});
  EXPECT_EQ(Tessera("--help-all").out.find(TESSERA_SOURCE_DIR), std::string::npos);
  EXPECT_NE(Tessera("bench --help").out.find("=bench/baseline.csv"), std::string::npos);
  if (!IsBuilt("typical")) GTEST_SKIP() << "configuration typical is not built";
  const TempFolder folder;
  const std::string row = "bench --filter read/copy-64/64/L20 --check";
  const Output source = Tessera(row, "cd " TESSERA_SOURCE_DIR ";");
  EXPECT_EQ(source.status, 0) << source.errors;
  EXPECT_NE(source.out.find("compared with bench/baseline.csv: 0 worse"), std::string::npos)
      << source.out;
  if (std::string(TESSERA_PROGRAM).starts_with(TESSERA_SOURCE_DIR)) {
    const Output other = Tessera(row, "cd " + folder.path() + ";");
    EXPECT_EQ(other.status, 0) << other.errors;
  }
}

TEST(Commands, HelpIsEverywhere) {
  Proves({"cli.help"});
  ExpectHelp({"", "run", "check", "show", "config", "config list", "config show", "bench", "soak",
              "completion"});
}

TEST(Commands, ConfigListAndShowKnowEveryConfiguration) {
  Proves({"cli.config"});
  const Json list = Json::parse(Tessera("config list --json").out);
  ASSERT_EQ(list.size(), Configs().size() + Dmas().size());
  for (const Json& config : list) {
    const std::string name = config.at("name");
    EXPECT_NE(Tessera("config list").out.find(name), std::string::npos);
    EXPECT_EQ(Json::parse(Tessera("config show --json " + name).out), config);
    const Output shown = Tessera("config show " + name);
    EXPECT_EQ(shown.status, 0);
    EXPECT_EQ(shown.out.find("Guard") != std::string::npos, config.at("shared").get<bool>());
  }
  const Output wrong = Tessera("config show nix");
  EXPECT_EQ(wrong.status, 2);
  std::string names;
  for (const Json& config : list)
    names += (names.empty() ? "" : ", ") + config.at("name").get<std::string>();
  EXPECT_EQ(wrong.errors,
            "NAME is \"nix\": legal are the configurations and builds of tessera_dma in this "
            "program: " +
                names + "\n");
}

TEST(Commands, ConfigTellsOfTheBuildsOfTesseraDma) {
  Proves({"cli.config"});
  if (Dmas().empty()) GTEST_SKIP() << "no build of tessera_dma is in the program";
  for (const DmaConfig& dma : Dmas()) {
    const std::string& name = dma.channel.name;
    const Json json = Json::parse(Tessera("config show --json " + name).out);
    EXPECT_EQ(json.at("reads"), dma.reads);
    EXPECT_EQ(json.at("windows"), dma.windows);
    EXPECT_EQ(json.at("dma").at("lists"), dma.lists);
    EXPECT_EQ(json.at("dma").at("locks"), dma.locks);
    const std::string shown = Tessera("config show " + name).out;
    EXPECT_TRUE(shown.starts_with(name + ", a build of tessera_dma\n")) << shown;
    EXPECT_NE(shown.find(std::string("\n  Triggers             ") +
                         (dma.triggers ? "yes  tasks" : " no  tasks")),
              std::string::npos)
        << shown;
    const std::string listed = Tessera("config list").out;
    EXPECT_NE(listed.find("\n" + name + " ", listed.find("\ntessera_dma ")), std::string::npos)
        << listed;
  }
}

// The sentence says which option takes the name, and none that would not help.
TEST(Commands, ANameOfTheOtherKindOfHardwareIsTold) {
  Proves({"cli.arguments"});
  const std::string copy = kJobs + "/copy.json";
  const auto sentence = [](const std::string& where, const std::string& name, const char* kind,
                           const std::string& option) {
    return where + " is \"" + name + "\": it is " + kind + ", legal is --" + option + " " + name +
           " of tessera run, or \"" + option + "\" in a job\n";
  };
  for (const char* name : {"basic", "plain"}) {  // whether they are in this program or not
    for (const char* command : {"soak", "run"}) {
      const Output output = Tessera(std::string(command) + " --config " + name +
                                    (std::string(command) == "run" ? " " + copy : ""));
      EXPECT_EQ(output.status, 2);
      EXPECT_EQ(output.errors, sentence("--config", name, "a build of tessera_dma", "dma"));
    }
  }
  for (const char* name : {"typical", "loopback"}) {
    const Output output = Tessera("run " + copy + " --dma " + name);
    EXPECT_EQ(output.status, 2);
    EXPECT_EQ(output.errors, sentence("--dma", name, "a configuration of engines", "config"));
  }
  const TempFolder folder;
  WriteFile(folder / "j.json", R"({"config": "basic", "channels": [{"direction": "read",
    "transfers": [{"base": 0, "count": [4], "stride": [1]}]}]})");
  EXPECT_EQ(Tessera("run " + (folder / "j.json")).errors,
            sentence((folder / "j.json") + ": config", "basic", "a build of tessera_dma", "dma"));
}

TEST(Commands, SoakRunsShardsAndMergesThem) {
  Proves({"cli.soak"});
  const TempFolder folder;
  const std::string config = Configs().front().name;
  const std::string common =
      "soak --config " + config + " --seed 5 --cases 6 --out " + (folder / "failures") + " --save ";
  const Output whole = Tessera(common + (folder / "whole.json"));
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_NE(whole.out.find("6 passed, 0 failed"), std::string::npos) << whole.out;
  EXPECT_EQ(Tessera(common + (folder / "a.json") + " --shard 0/2 --shards 2").status, 0);
  EXPECT_EQ(Tessera(common + (folder / "b.json") + " --shard 1/2").status, 0);
  const Output merged = Tessera("soak --merge " + (folder / "a.json") + " " + (folder / "b.json") +
                                " --save " + (folder / "m.json"));
  EXPECT_EQ(merged.status, 0) << merged.errors;
  Json one = Json::parse(ReadText(folder / "whole.json")).at("rows")[0];
  Json two = Json::parse(ReadText(folder / "m.json")).at("rows")[0];
  EXPECT_EQ(one.at("seeds").size(), 1u);
  EXPECT_EQ(two.at("seeds").size(), 3u);  // two processes and a file
  for (const char* member : {"seconds", "seeds"}) {
    one.erase(member);
    two.erase(member);
  }
  EXPECT_EQ(one, two);
  // No case counts twice.
  const Output twice = Tessera("soak --merge " + (folder / "b.json") + " " + (folder / "m.json"));
  EXPECT_EQ(twice.status, 2);
  EXPECT_EQ(twice.errors, "--merge " + (folder / "m.json") + ": it has the case of " + config +
                              " with seed 6, as " + (folder / "b.json") +
                              " has: legal is every case once\n");
}

TEST(Commands, ColoursAreForTerminalsAlone) {
  Proves({"cli.plain"});
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script is not installed";
  const TempFolder folder;
  // A pseudo terminal; what the command says goes through it.
  const auto on_terminal = [&](const std::string& environment) {
    const std::string command =
        environment + " script -qec '" TESSERA_PROGRAM " config list' /dev/null </dev/null >" +
        (folder / "out");
    EXPECT_EQ(std::system(command.c_str()), 0);
    return ReadText(folder / "out");
  };
  EXPECT_NE(on_terminal("").find('\x1b'), std::string::npos);
  EXPECT_EQ(on_terminal("NO_COLOR=1").find('\x1b'), std::string::npos);
  EXPECT_EQ(Tessera("config list").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(Tessera("soak --cases 2 --config " + Configs().front().name).errors, "");
}

// A script of a shell that is not installed cannot be run; quotes that do not close show anyway.
TEST(Commands, CompletionOfEveryShellIsWellFormed) {
  Proves({"cli.completion"});
  const TempFolder folder;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Output output = Tessera("completion " + std::string(shell));
    ASSERT_EQ(output.status, 0);
    std::istringstream lines(output.out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("complete ")) continue;
      size_t quotes = 0;
      for (size_t n = 0; n < line.size(); ++n) {
        if (line[n] == '\\') ++n;
        if (n < line.size() && line[n] == '\'') ++quotes;
      }
      EXPECT_EQ(quotes % 2, 0u) << line;
    }
    WriteFile(folder / shell, output.out);
    const std::string check = std::string("if command -v ") + shell + " >/dev/null; then " + shell +
                              " -n " + (folder / shell) + "; fi";
    EXPECT_EQ(std::system(check.c_str()), 0) << shell;
  }
}

TEST(Commands, FishCompletes) {
  Proves({"cli.completion"});
  if (std::system("command -v fish >/dev/null") != 0) GTEST_SKIP() << "fish is not installed";
  const TempFolder folder;
  WriteFile(folder / "t.fish", Tessera("completion fish").out);
  const auto complete = [&](const std::string& line) {
    EXPECT_EQ(std::system(("HOME=" + folder.path() + " fish -c 'source " + (folder / "t.fish") +
                           "; complete -C\"" + line + "\"' >" + (folder / "words"))
                              .c_str()),
              0);
    std::string words;  // without what is said of them
    std::istringstream lines(ReadText(folder / "words"));
    for (std::string each; std::getline(lines, each);) {
      words += each.substr(0, each.find('\t')) + " ";
    }
    return words;
  };
  EXPECT_EQ(complete("tessera so"), "soak ");
  EXPECT_EQ(complete("tessera config sh"), "show ");
  EXPECT_EQ(complete("tessera config show --js"), "--json ");
  EXPECT_EQ(complete("tessera config show --ba"), "");
  EXPECT_EQ(complete("tessera show --ba"), "--base ");
  EXPECT_EQ(complete("tessera completion fi"), "fish ");
  const std::string config = Configs().front().name;
  EXPECT_NE(complete("tessera config show " + config.substr(0, 2)).find(config), std::string::npos);
  EXPECT_NE(complete("tessera run --config " + config.substr(0, 2)).find(config),
            std::string::npos);
}

TEST(Commands, ZshCompletes) {
  Proves({"cli.completion"});
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "zsh is not installed";
  const TempFolder folder;
  // A shell on a pseudo terminal, to which a line is typed: completion works nowhere else.
  WriteFile(folder / "run",
            "zmodload zsh/zpty\nzpty shell zsh -f -i\n"
            "zpty -w shell 'eval \"$(" TESSERA_PROGRAM
            " completion zsh)\"; echo rea''dy'\n"
            "zpty -r shell line '*ready*'\n"
            "zpty -w -n shell 'tessera config sh'$'\\t'\n"
            "zpty -r shell line '*show*' && echo completed\n"
            "zpty -d shell\n");
  EXPECT_EQ(
      std::system(
          ("cd " + folder.path() + " && HOME=. ZDOTDIR=. timeout 60 zsh -f run >out 2>&1").c_str()),
      0);
  EXPECT_NE(ReadText(folder / "out").find("completed"), std::string::npos)
      << ReadText(folder / "out");
}

TEST(Commands, BashCompletes) {
  Proves({"cli.completion"});
  const TempFolder folder;
  const auto complete = [&](const std::string& words) {
    WriteFile(folder / "c.sh", "source <(" + std::string(TESSERA_PROGRAM) +
                                   " completion bash)\nCOMP_WORDS=(" + words +
                                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_tessera\n"
                                   "echo \"${COMPREPLY[@]}\" >" +
                                   (folder / "words"));
    EXPECT_EQ(std::system(("bash " + (folder / "c.sh")).c_str()), 0);
    return ReadText(folder / "words");
  };
  EXPECT_EQ(complete("tessera so"), "soak\n");
  EXPECT_EQ(complete("tessera config sh"), "show\n");
  EXPECT_EQ(complete("tessera run --rep"), "--report\n");
  EXPECT_EQ(complete("tessera completion f"), "fish\n");
  EXPECT_EQ(complete("tessera show --direction ''"), "read write\n");
  const std::string config = Configs().front().name;
  std::string expected;  // and what else begins like it
  for (const Config& known : Configs()) {
    if (known.name.starts_with(config)) expected += (expected.empty() ? "" : " ") + known.name;
  }
  EXPECT_EQ(complete("tessera config show " + config), expected + "\n");
  const std::string shown = " " + complete("tessera show --config ''");  // also what is not built
  const Json all = Json::parse(ReadText(TESSERA_SOURCE_DIR "/cmake/configs.json"));
  for (const auto& [name, parameters] : all.items()) {
    EXPECT_EQ(shown.find(" " + name) != std::string::npos, parameters.value("simulate", true))
        << name << " of" << shown;
  }
}

}  // namespace
}  // namespace tessera
