// tsr_list_channels: whatever happens to an open list after a look at it makes another visit, also while one is under way.
`include "proof.svh"

module list_channels_proof
  import tsr_program_pkg::channel_t;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned Channels = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [Channels-1:0] open_i,
  input logic                look_valid_i,
  input logic                look_channel_i,
  input logic                hold_i,
  input logic                rests_i,
  input logic                doorbell_i,
  input logic                freed_i,
  input logic                freed_channel_i,
  input logic [Channels-1:0] turned_i
);

  `TSR_PROOF_RESET

  // ---- Visits: a look, then its second step, which may be held ------------------------------------

  logic visiting_q, channel_q, look, hold, act;
  list_step_t step;
  list_does_t does;
  assign look = rst_ni && look_valid_i && !visiting_q;
  assign hold = visiting_q && hold_i;
  assign act  = visiting_q && !hold_i;
  always_comb begin
    step = '0;
    step.look.channel = channel_t'(look_channel_i);
    step.visit.channel = channel_t'(channel_q);
    step.hold = hold;
    step.act = act;
    does = '0;
    does.rests = act && rests_i;
  end
  always_ff @(posedge clk_i) begin
    visiting_q <= rst_ni && (look || hold);
    if (look) channel_q <= look_channel_i;
  end

  logic [Channels-1:0] ask;
  tsr_list_channels #(
    .Channels(Channels)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .open_i,
    .reset_i        ('0),
    .active_o       (),
    .ask_o          (ask),
    .zero_o         (),
    .fault_o        (),
    .gives_up_o     (),
    .step_i         (step),
    .does_i         (does),
    .doorbell_i     (doorbell_i && act),
    .opened_i       ('0),
    .freed_channel_i(channel_t'(freed_channel_i)),
    .freed_i,
    .came_i         ('0),
    .turned_i,
    .failed_i       (1'b0),
    .fails_i        (1'b0)
  );

  // ---- What has happened since the last look ------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic since_q, open_q, happens;
    assign happens = turned_i[c] || (freed_i && freed_channel_i == c[0]) ||
        (doorbell_i && act && channel_q == c[0]);
    always_ff @(posedge clk_i) begin
      open_q  <= rst_ni && open_i[c];
      since_q <= rst_ni && (happens || (since_q && !(look && look_channel_i == c[0])));
    end
    `TSR_ASSERT(AnotherVisit, !(since_q && open_q && open_i[c]) || ask[c])
    `TSR_COVER(Rests, open_q && open_i[c] && !ask[c])
    `TSR_COVER(WhileItIsHeld, since_q && open_i[c] && hold && channel_q == c[0])
  end

endmodule
