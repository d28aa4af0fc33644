// See rtl_dma.h.
#include "tests/aieml_rtl/rtl_dma.h"

#include <cstring>

namespace tessera::aieml {

RtlDma::RtlDma(const std::string& build, const DmaPorts& ports, const PortOptions& options,
               uint64_t seed)
    : rtl_(MakeTile(build, seed)),
      ports_(ports),
      port_(ports.memory, rtl_->config().data_bytes, options, seed) {
  rtl_->in.bready = rtl_->in.rready_axil = true;
  for (int n = 0; n < 5; ++n) {
    rtl_->in.aresetn = n > 2;
    rtl_->Settle();
    rtl_->Edge();
  }
}

bool RtlDma::Post(const Access& access) {
  if (access_ || answer_) return false;
  access_ = access;
  TileInputs& in = rtl_->in;
  in.awvalid = in.wvalid = access.write;
  in.arvalid = !access.write;
  in.awaddr = in.araddr = access.offset;
  in.wdata = access.value;
  return true;
}

std::optional<uint32_t> RtlDma::Answer() {
  const auto answer = answer_;
  answer_.reset();
  return answer;
}

bool RtlDma::Quiet() const {
  return !access_ && rtl_->out.active == 0 && port_.Quiet() && !rtl_->out.token_valid;
}

void RtlDma::DriveStreams() {
  TileInputs& in = rtl_->in;
  for (size_t n = 0; n < ports_.to_memory.size(); ++n) {
    Link& link = *ports_.to_memory[n];
    in.stream[n].valid = !link.Empty();
    if (link.Empty()) continue;
    std::memcpy(in.stream[n].data.data(), &link.Front().data, 4);
    in.stream[n].last = link.Front().last;
  }
  for (size_t n = 0; n < ports_.to_stream.size(); ++n) {
    in.stream[n].ready = ports_.to_stream[n]->CanPush();
  }
  in.token_ready = ports_.tokens != nullptr && ports_.tokens->CanPush();
}

void RtlDma::SampleStreams() {
  const TileInputs& in = rtl_->in;
  const TileOutputs& out = rtl_->out;
  for (size_t n = 0; n < ports_.to_memory.size(); ++n) {
    if (in.stream[n].valid && out.stream[n].ready) ports_.to_memory[n]->Pop();
  }
  for (size_t n = 0; n < ports_.to_stream.size(); ++n) {
    if (!out.stream[n].valid || !in.stream[n].ready) continue;
    Word word;
    std::memcpy(&word.data, out.stream[n].data.data(), 4);
    word.last = out.stream[n].last;
    ports_.to_stream[n]->Push(word);
  }
  if (out.token_valid && in.token_ready) ports_.tokens->Push({out.token_data, out.token_last});
}

void RtlDma::SampleRegisters() {
  TileInputs& in = rtl_->in;
  const TileOutputs& out = rtl_->out;
  if (in.awvalid && out.awready) in.awvalid = false;
  if (in.wvalid && out.wready) in.wvalid = false;
  if (in.arvalid && out.arready) in.arvalid = false;
  if (!out.bvalid && !out.rvalid) return;
  answer_ = out.rvalid ? out.rdata : 0;
  failed_ = (out.rvalid ? out.rresp : out.bresp) != 0;
  access_.reset();
}

void RtlDma::Clock() {
  DriveStreams();
  rtl_->Settle();
  SampleStreams();
  SampleRegisters();
  port_.Sample(rtl_->in, rtl_->out);
  rtl_->Edge();
  port_.Drive(&rtl_->in);
}

}  // namespace tessera::aieml
